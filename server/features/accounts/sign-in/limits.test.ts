import { isDeepStrictEqual } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { sharedApp, type TestApp } from '#server/testing/app.ts'
import { traceStatements } from '#server/testing/statements.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

const PASSWORD = 'seven larks over a field'
let calls = 0
/** Calls as a client nobody has seen before, unless told from where. */
function post(path: string, payload: object, from = `198.51.${(calls >> 8) & 255}.${calls++ & 255}`) {
  return t.inject({ method: 'POST', url: `/api/auth/${path}`, payload, headers: { 'x-forwarded-for': from } })
}
const mailsTo = (address: string) => t.sink.received.filter((mail) => mail.to.includes(address)).length
const MESSAGE = { signup: 'Check your', 'forgot-password': 'If there is', 'resend-verification': 'If there is' }

test.each(Object.entries(MESSAGE))(
  'login limits: %s sends at most five emails an hour to an address, with the same response',
  async (path, text) => {
    const email = `many-${path}@example.com`
    if (path === 'forgot-password') await t.person({ email })
    const body = path === 'signup' ? { name: 'Many', email, password: PASSWORD } : { email }
    if (path === 'resend-verification') await post('signup', { name: 'Many', email, password: PASSWORD })
    for (let i = 0; i < 8; i++) {
      const response = await post(path, { ...body, email: i % 2 ? email.toUpperCase() : email })
      expect([response.statusCode, response.json().message.slice(0, text.length)]).toEqual([202, text])
    }
    // Jobs are worked in the order they came: when the last one is there, so are the others.
    const last = await t.person()
    await post('forgot-password', { email: last.email })
    await t.sink.mailTo(last.email)
    expect(mailsTo(email)).toBe(5)
  },
)

test('login limits: wrong passwords from one network address are limited over all accounts', async () => {
  const person = await t.person()
  const from = '203.0.113.7'
  const statuses: number[] = []
  for (let i = 0; i < 104; i++) {
    const response = await post('login', { email: `nobody${i}@example.com`, password: PASSWORD }, from)
    statuses.push(response.statusCode)
  }
  expect(statuses).toEqual([...Array<number>(100).fill(401), ...Array<number>(4).fill(429)])
  const right = { email: person.email, password: person.password }
  const refused = await post('login', right, from)
  expect([refused.statusCode, refused.headers['content-type']]).toEqual([429, 'text/plain; charset=utf-8'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await post('login', right, '203.0.113.8')).statusCode).toBe(200)
})

test('login limits: ten wrong passwords lock an account, known or unknown, in any spelling', async () => {
  const person = await t.person()
  for (const email of [person.email, 'unknown-one@example.com']) {
    const statuses: number[] = []
    for (let i = 0; i < 11; i++)
      statuses.push(
        (await post('login', { email: i % 2 ? ` ${email.toUpperCase()}` : email, password: 'wrong' })).statusCode,
      )
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429])
  }
})

test('login limits: the right password clears the count, and a reset unlocks the account', async () => {
  const person = await t.person()
  const login = (password: string) => post('login', { email: person.email, password })
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 9; i++) expect((await login('wrong')).statusCode).toBe(401)
    expect((await login(person.password)).statusCode).toBe(200)
  }
  for (let i = 0; i < 11; i++) await login('wrong')
  expect((await login(person.password)).statusCode).toBe(429)
  await t.api(accounts.forgotPassword, { body: { email: person.email } })
  const token = /token=([\w-]+)/.exec((await t.sink.mailTo(person.email)).text ?? '')?.[1] ?? ''
  await t.api(accounts.resetPassword, { body: { token, newPassword: PASSWORD } })
  expect((await login(PASSWORD)).statusCode).toBe(200)
})

test.each([
  ['password1234', 'most used'],
  ['P@ssw0rd2024!', 'most used'],
  ['qwertyuiop', 'most used'],
  ['monkeymonkey', 'most used'],
  ['!!Football99', 'most used'],
  ['1234567890', 'most used'],
  ['postlark2026', 'most used'],
  ['ababababab', 'same few characters'],
  ['grace.hoepperling', 'email address'],
  ['Hoepperling42', 'email address'],
  ['Murrayson-19!', 'your name'],
  ['gracebrewstermurrayson', 'your name'],
])('password: %s is refused: %s', async (password, reason) => {
  const response = await post('signup', {
    name: 'Grace Brewster Murrayson',
    email: 'grace.hoepperling@navy.example',
    password,
  })
  expect([response.statusCode, response.json().details[0].field]).toEqual([400, 'password'])
  expect(response.json().details[0].message).toContain(reason)
})

test.each([
  'correct horse battery',
  'Tr0ub4dor&3-x9',
  'seven larks over a field',
  'ünïcödé wörks hère',
  'grace likes long walks',
])('password: %s is accepted', async (password) => {
  const response = await post('signup', { name: 'Grace', email: 'grace@navy.example', password })
  expect(response.statusCode).toBe(202)
})

test.each(['login', 'signup', 'forgot-password', 'resend-verification'])(
  'login limits: %s asks the database the same for an unknown and a known address',
  async (path) => {
    const rest = { login: { password: 'wrong' }, signup: { name: 'X', password: PASSWORD } }[path] ?? {}
    // A statement that waited for the connection of a traced one is noted with it, so one pair that is equal is enough:
    // what an address changes would be in every pair.
    let statements: string[][] = []
    for (let attempt = 0; attempt < 5; attempt++) {
      const known = await t.person()
      statements = []
      for (const email of [known.email, `unknown${attempt}-${path}@example.com`])
        statements.push(await traceStatements(() => post(path, { email, ...rest })))
      if (isDeepStrictEqual(statements[0], statements[1])) break
    }
    expect(statements[0]?.length).toBeGreaterThan(0)
    expect(statements[1]).toEqual(statements[0])
  },
)

test('login limits: login computes as long for an unknown and a known address', async () => {
  const known = await Promise.all(Array.from({ length: 10 }, () => t.person()))
  const addresses = known.flatMap(({ email }, i) => [email, `nobody-computes-${i}@example.com`])
  // In turn, so that whatever else this process does counts for both alike. Checking a password is nearly all of it.
  const spent = [0, 0]
  for (let round = 0; round < 4; round++)
    for (const [i, email] of addresses.entries()) {
      const before = process.cpuUsage()
      await post('login', { email, password: 'wrong' })
      const { user, system } = process.cpuUsage(before)
      spent[i % 2] = (spent[i % 2] ?? 0) + user + system
    }
  expect(Math.min(...spent) / Math.max(...spent)).toBeGreaterThan(0.5)
})

test('login limits: the limit of emails applies however the URL is encoded', async () => {
  const from = '203.0.113.77'
  const ways = ['/api/auth/forgot-password', '/api/%61uth/forgot-password', '/%61pi/auth/forgot%2Dpassword?x=1']
  const statuses: number[] = []
  for (let i = 0; i < 102; i++) {
    const response = await t.inject({
      method: 'POST',
      url: ways[i % ways.length] ?? '',
      payload: { email: 'one-of-many@example.com' },
      headers: { 'x-forwarded-for': from },
    })
    statuses.push(response.statusCode)
  }
  expect(statuses).toEqual([...Array<number>(100).fill(202), 429, 429])
  for (const url of ['/api/auth/forgot-password/', '//api/auth/forgot-password', '/api/Auth/forgot-password'])
    expect((await t.inject({ method: 'POST', url, payload: { email: 'x@example.com' } })).statusCode).toBe(404)
})
