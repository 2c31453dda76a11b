import { beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { admin } from '#contracts/admin/admin.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const OWNERS = 'seven larks over a field'
const STRANGERS = 'the stranger wants to come in'
const CHOSEN = 'a third one, typed on the page'

/** Does what sends an email and returns the token in it. */
async function linkAfter(email: string, ask: () => Promise<unknown>): Promise<{ token: string; text: string }> {
  const before = t.sink.received.filter((mail) => mail.to.includes(email)).length
  await ask()
  const mail = await t.sink.waitFor((one) => t.sink.received.filter(({ to }) => to.includes(email))[before] === one)
  const text = mail.text ?? ''
  return { token: /token=([\w-]+)/.exec(text)?.[1] ?? '', text }
}

const signUp = (email: string, password: string) =>
  linkAfter(email, () => t.api(accounts.signup, { body: { name: 'Ada', email, password } }))
const resend = (email: string) => linkAfter(email, () => t.api(accounts.resendVerification, { body: { email } }))
const verify = (token: string, password?: string) =>
  t.api(accounts.verifyEmail, { body: { token, ...(password !== undefined && { password }) } })
const mustChoose = async (token: string) =>
  (await t.api(accounts.checkVerification, { body: { token } })).choosePassword

/** The statuses of a login with each of the passwords. */
async function logins(email: string, ...passwords: string[]): Promise<number[]> {
  const statuses: number[] = []
  for (const password of passwords) {
    const response = await t.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } })
    statuses.push(response.statusCode)
  }
  return statuses
}

test('sign-up: after one sign-up its first and its resent link activate its password', async () => {
  for (const use of ['first', 'resent']) {
    const email = `alone-${use}@example.com`
    const first = await signUp(email, OWNERS)
    const resent = await resend(email)
    const { token } = use === 'first' ? first : resent
    expect(await mustChoose(token)).toBe(false)
    await verify(token)
    expect(await logins(email, OWNERS)).toEqual([200])
  }
})

test('sign-up: after two sign-ups a resent link activates neither password', async () => {
  for (const order of [
    [OWNERS, STRANGERS],
    [STRANGERS, OWNERS],
  ]) {
    const email = `resent-${order[0]?.length}@example.com`
    for (const password of order) await signUp(email, password)
    const { token, text } = await resend(email)
    expect(text).toContain('more than one sign-up')
    expect(await mustChoose(token)).toBe(true)
    const { token: session } = await verify(token)
    expect(await t.createClient(session)(accounts.user)).toMatchObject({ emailVerified: true, hasPassword: false })
    expect(await logins(email, OWNERS, STRANGERS)).toEqual([401, 401])
    const reset = await linkAfter(email, () => t.api(accounts.forgotPassword, { body: { email } }))
    await t.api(accounts.resetPassword, { body: { token: reset.token, newPassword: CHOSEN } })
    expect(await logins(email, CHOSEN)).toEqual([200])
  }
})

test('sign-up: after two sign-ups each link asks for a new password, and only that one works', async () => {
  for (const use of [0, 1]) {
    const email = `confused-${use}@example.com`
    const links = [await signUp(email, OWNERS), await signUp(email, STRANGERS)]
    const token = links[use]?.token ?? ''
    expect(await mustChoose(token)).toBe(true)
    await expect(verify(token, 'password12345')).rejects.toMatchObject({ details: [{ field: 'password' }] })
    await verify(token, CHOSEN)
    expect(await logins(email, OWNERS, STRANGERS, CHOSEN)).toEqual([401, 401, 200])
  }
})

test('sign-up: a sign-up with an expired link still counts as one of several', async () => {
  const email = 'patient@example.com'
  await signUp(email, STRANGERS)
  await t.services.db
    .updateTable('userTokens')
    .set({ expiresAt: new Date(Date.now() - 1) })
    .execute()
  await signUp(email, OWNERS)
  const { token } = await resend(email)
  await verify(token)
  expect(await logins(email, STRANGERS, OWNERS)).toEqual([401, 401])
})

test('sign-up: nobody logs in before the address is confirmed', async () => {
  const email = 'waiting@example.com'
  await signUp(email, OWNERS)
  expect(await logins(email, OWNERS)).toEqual([403])
  await signUp(email, STRANGERS)
  expect(await logins(email, OWNERS, STRANGERS)).toEqual([401, 403])
  const { passwordHash } = await t.services.db
    .selectFrom('users')
    .select('passwordHash')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  expect(passwordHash).toBeNull()
})

test("sign-up: an admin's confirmation activates a single sign-up and none of several", async () => {
  const boss = await t.person({ role: 'admin' })
  for (const [email, passwords, wanted] of [
    ['by-hand@example.com', [OWNERS], [200]],
    ['by-hand-two@example.com', [OWNERS, STRANGERS], [401, 401]],
  ] as const) {
    for (const password of passwords) await signUp(email, password)
    const user = await t.services.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await boss.api(admin.changeUser, { params: { id: user.id }, body: { verified: true } })
    expect(await logins(email, ...passwords)).toEqual(wanted)
  }
})

test('sign-up: the email has the time of the sign-up, and the check of a used link says so', async () => {
  const { token, text } = await signUp('when@example.com', OWNERS)
  expect(text).toMatch(/The sign-up was made on \d+ \w+ \d{4} at \d\d:\d\d UTC\./)
  await verify(token)
  await expect(mustChoose(token)).rejects.toMatchObject({ status: 400, code: 'link_used' })
})
