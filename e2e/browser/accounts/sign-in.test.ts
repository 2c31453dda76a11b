import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { openPage } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'
import { json, replyTo } from '../../support/replies.ts'

const PASSWORD = 'seven larks over a field'

const storedSession = (page: Page) => page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('user')])
const keep = (page: Page, key: string, value: string) =>
  page.evaluate(([name, text]) => localStorage.setItem(name ?? '', text ?? ''), [key, value])

test.each([
  ['text of the server', { status: 401, body: 'This door is closed today.' }, 'This door is closed today.'],
  ['an error as JSON', { status: 429, ...json({ error: 'Slowly', message: 'Slowly', code: 'x' }) }, 'Slowly'],
  ['an empty refusal', { status: 500, body: '' }, 'Login failed'],
  ['a page of a proxy', { status: 502, body: '<h1>Bad Gateway</h1>', contentType: 'text/html' }, 'Login failed'],
  ['a success without a token', { status: 200, ...json({}) }, 'Login failed'],
  ['no server', null, 'Login failed'],
] as const)('login: %s leads to an error message and no stored session', async (_, given, text) => {
  const page = await openPage(browser, t.address)
  await replyTo(page, 'login', given)
  await page.goto('/login')
  await page.getByLabel('Email').fill('a@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill('whatever it is')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').getByText(text, { exact: true }).waitFor()
  expect(await storedSession(page)).toEqual([null, null])
})

test('login: a user with an unconfirmed email address can have the confirmation sent again', async () => {
  const email = 'not-yet@example.com'
  await t.api(accounts.signup, { body: { name: 'Not Yet', email, password: PASSWORD } })
  await t.sink.mailTo(email)
  const page = await openPage(browser, t.address)
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').getByText('Confirm your email address first').waitFor()
  await page.getByRole('link', { name: 'Resend email' }).click()
  await page.waitForURL('**/verify-email')
  // Both pages have a field of this name: the address changes a moment before the page does.
  await page.getByRole('button', { name: 'Resend email' }).waitFor()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Resend email' }).click()
  await page.getByRole('status').getByText('If there is an account').waitFor()
  await t.sink.waitFor((mail) => t.sink.received.filter((one) => one.to.includes(email))[1] === mail)
})

const SIGNED_IN = [
  '/dashboard',
  '/account',
  '/plan',
  '/gmail-sender',
  '/gmail-analytics',
  '/gmail-link',
  '/email-scraper',
  '/mail-dash',
  '/email-sender',
  '/whatsapp-sender',
  '/number-scraper',
]

test('login: signed-in pages without a valid token lead to the login, and back after it', async () => {
  const expired = `x.${Buffer.from(JSON.stringify({ _id: '1', exp: 1_000 })).toString('base64url')}.x`
  const page = await openPage(browser, t.address)
  for (const path of SIGNED_IN) {
    await page.goto(path)
    await page.waitForURL('**/login')
  }
  // What is valid is decided in one place for all of them.
  await keep(page, 'token', expired)
  await page.goto('/account')
  await page.waitForURL('**/login')
  await page.evaluate(() => localStorage.clear())
  const person = await t.person()
  await page.goto('/mail-dash?state=sent')
  await page.waitForURL('**/login')
  // The way over the sign-up page does not lose where someone wanted to go.
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/mail-dash?state=sent')
})

test('session: logging in or out in one tab does the same in the other', async () => {
  const person = await t.person({ name: 'Ada Lovelace' })
  const one = await openPage(browser, t.address)
  const two = await one.context().newPage()
  await one.goto('/login')
  await two.goto('/login')
  await one.getByLabel('Email').fill(person.email)
  await one.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await one.getByRole('button', { name: 'Log in' }).click()
  await two.waitForURL('**/dashboard')
  await two.getByText('Hello, Ada').waitFor()
  await two.getByRole('button', { name: /Ada Lovelace/ }).click()
  await two.getByRole('menuitem', { name: 'Logout' }).click()
  await one.waitForURL('**/login')
  expect(await storedSession(one)).toEqual([null, null])
})

test('session: a token that expires while a page is open leads to the login page at that moment', async () => {
  const { token } = await t.person()
  const page = await openPage(browser, t.address, { token })
  await page.clock.install()
  await page.goto('/dashboard')
  await page.getByText('Hello,').waitFor()
  await page.clock.fastForward(7 * 86_400_000 - 600_000)
  await page.getByText('Hello,').waitFor()
  await page.clock.fastForward(600_000)
  await page.waitForURL('**/login')
  await page.getByText('Your session has ended. Log in to continue.').waitFor()
})

test('session: a 401 from any request of a signed-in page clears the token and the user', async () => {
  const page = await openPage(browser, t.address, { token: (await t.person()).token })
  await page.goto('/dashboard')
  await page.getByText('Hello,').waitFor()
  await page.route(/\/api\/contacts\b/, (route) => route.fulfill({ status: 401, ...json({ error: 'Unauthorized' }) }))
  await page.goto('/contacts')
  await page.waitForURL('**/login')
  expect(await storedSession(page)).toEqual([null, null])
})

test('session: a request without a token is not sent, and the page shows "No auth token"', async () => {
  const page = await openPage(browser, t.address, { token: (await t.person()).token })
  // Once it has asked for everything: a request that begins later without a token leads to the login.
  await page.goto('/account', { waitUntil: 'networkidle' })
  await page.getByLabel('Name', { exact: true }).fill('Somebody Else')
  let sent = 0
  await page.route('**/api/account', (route) => {
    sent++
    return route.continue()
  })
  // In one step: whatever else the page asks for in between notices too, and leads to the login.
  await page.getByLabel('Name', { exact: true }).evaluate((field: HTMLInputElement) => {
    localStorage.removeItem('token')
    field.form?.requestSubmit()
  })
  await page.getByRole('alert').getByText('No auth token', { exact: true }).waitFor()
  expect(sent).toBe(0)
})

test('session: a token under the old key is deleted where a newer one exists', async () => {
  const { token } = await t.person()
  const page = await openPage(browser, t.address, { token })
  await keep(page, 'authToken', 'an old one')
  await page.goto('/dashboard')
  await page.getByText('Hello,').waitFor()
  expect(await page.evaluate(() => [localStorage.getItem('authToken'), localStorage.getItem('token')])).toEqual([
    null,
    token,
  ])
})

test.each([
  ['a server that fails', { status: 500, body: 'no' }],
  ['a server that refuses', { status: 401, ...json({ error: 'Unauthorized' }) }],
  ['no server', null],
  ['a server that never answers', 'never'],
] as const)('logout: with %s the session is cleared and the login page opens', async (_, given) => {
  const page = await openPage(browser, t.address, { token: (await t.person()).token })
  await page.goto('/dashboard')
  await page.getByText('Hello,').waitFor()
  if (given === 'never') await page.route('**/api/auth/logout', () => undefined)
  else await replyTo(page, 'logout', given)
  const asked = page.waitForRequest('**/api/auth/logout')
  await page.getByRole('button', { name: /Robin Example/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  expect((await asked).headers().authorization).toMatch(/^Bearer ey/)
  await page.waitForURL('**/login')
  expect(await storedSession(page)).toEqual([null, null])
  // Having left on purpose, nobody is led back to where they were.
  expect(await page.evaluate(() => history.state?.usr?.from)).toBeUndefined()
})
