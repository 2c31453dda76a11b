import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { testApp } from '#server/testing/app.ts'
import { accessibilityFaults, openPage, screenFaults } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { home, t } from '../../support/product.ts'

const unsigned = (claims: object) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`
const storedSession = (page: Page) => page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('user')])

test('google sign-in: a visitor signs up with Google and later logs in the same way', async () => {
  const page = await openPage(browser, home)
  const addresses: string[] = []
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  await page.goto('/signup')
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await page.getByRole('heading', { name: 'Continue to Postlark' }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByLabel('Email address').fill('grace@example.com')
  await page.getByLabel('Name').fill('Grace Hopper')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('heading', { name: 'You are logged in' }).waitFor()
  expect(page.url()).toBe(`${home}/oauth2/redirect`)
  await page.waitForURL('**/dashboard')
  await page.getByText('Hello, Grace').waitFor()
  expect(JSON.parse((await storedSession(page))[1] ?? '')).toMatchObject({
    email: 'grace@example.com',
    authProvider: 'google',
  })
  // The screen with the token is not in the history any more.
  await page.goBack()
  expect(page.url()).not.toContain('oauth2')
  expect(page.complaints).toEqual([])

  const again = await openPage(browser, home)
  await again.goto('/login')
  await again.getByRole('link', { name: 'Continue with Google' }).click()
  await again.getByRole('button', { name: 'Grace Hopper' }).click()
  await again.waitForURL('**/dashboard')
})

test('google sign-in: denying access opens the login page after three seconds and stores no session', async () => {
  const page = await openPage(browser, home)
  await page.goto('/login')
  await page.evaluate(() => localStorage.setItem('user', '{"name":"somebody else"}'))
  await page.getByRole('link', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByRole('alert').getByText('You denied access to your Google account. Please try again.').waitFor()
  expect(await storedSession(page)).toEqual([null, null])
  await page.waitForURL('**/login')
})

/** Opens the callback screen with its clock standing still; `pass` lets so many milliseconds go by. */
async function openCallback(search: string, path = '/oauth2/redirect', response?: { status: number; body: string }) {
  const page = await openPage(browser, home)
  const verified: string[] = []
  await page.route('**/api/auth/verify-token', (route) => {
    verified.push(route.request().postData() ?? '')
    return response ? route.fulfill({ contentType: 'application/json', ...response }) : route.continue()
  })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.goto(`${path}${search}`)
  await page.waitForFunction(() => window.callbackQuery === undefined)
  return { page, verified, pass: (milliseconds: number) => page.clock.runFor(milliseconds) }
}
const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_600

test.each(['/oauth2/redirect', '/oauth/callback'])(
  'google sign-in: at %s a token is verified after 100 ms and the dashboard opens after 2 s',
  async (path) => {
    const person = await t.person({ name: 'Ada Lovelace' })
    const { page, verified, pass } = await openCallback(`?token=${person.token}`, path)
    await page.getByRole('heading', { name: 'Processing your sign-in' }).waitFor()
    expect(page.url()).toBe(home + path)
    await pass(99)
    expect([verified, await storedSession(page)]).toEqual([[], [null, null]])
    await pass(1)
    await page.getByRole('heading', { name: 'You are logged in' }).waitFor()
    expect(verified).toEqual([JSON.stringify({ token: person.token })])
    const [token, user] = await storedSession(page)
    expect([token, JSON.parse(user ?? '')]).toMatchObject([person.token, { _id: person.id, name: 'Ada Lovelace' }])
    await pass(1_999)
    expect(page.url()).toBe(home + path)
    await pass(1)
    await page.clock.resume()
    await page.waitForURL('**/dashboard')
    expect(page.complaints).toEqual([])
  },
)

test.each([
  ['a server that fails', { status: 503, body: 'no' }],
  [
    'a server that refuses',
    { status: 401, body: JSON.stringify({ error: 'Unauthorized', message: 'Unauthorized', code: 'unauthorized' }) },
  ],
])('google sign-in: with %s, a token that looks valid is stored and leads on after 1.5 s', async (_, response) => {
  const token = unsigned({ _id: '42', exp: inAnHour(), name: 'Grace', role: 'admin' })
  const { page, pass } = await openCallback(`?token=${token}`, '/oauth2/redirect', response)
  await pass(100)
  await page.getByRole('heading', { name: 'You are logged in' }).waitFor()
  const [stored, user] = await storedSession(page)
  expect([stored, JSON.parse(user ?? '')]).toEqual([token, { _id: '42', name: 'Grace', authProvider: 'google' }])
  await pass(1_499)
  expect(page.url()).toBe(`${home}/oauth2/redirect`)
  await pass(1)
  await page.clock.resume()
  // The shell asks the server who this is, which knows better.
  await page.waitForURL('**/login')
  expect(await storedSession(page)).toEqual([null, null])
})

test('google sign-in: the dashboard and its figures load while the success message is shown', async () => {
  const { token } = await t.person({ name: 'Ada Lovelace' })
  const { page, pass } = await openCallback(`?token=${token}`, '/oauth2/redirect', { status: 503, body: 'no' })
  const figures = ['/api/dashboard', '/api/dashboard/activity', '/api/sample-data']
  const arrived = ['/api/auth/user', '/api/subscription/status', ...figures].map((path) =>
    page.waitForEvent('requestfinished', (request) => new URL(request.url()).pathname === path),
  )
  const code = page.waitForEvent('requestfinished', (request) => request.url().includes('/assets/dashboard-page-'))
  await pass(100)
  await page.getByRole('heading', { name: 'You are logged in' }).waitFor()
  await Promise.all([...arrived, code])
  // What is stored is what the fallback believed, until the dashboard knows better.
  expect(JSON.parse((await storedSession(page))[1] ?? '')).toMatchObject({ authProvider: 'google' })
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await pass(1_400)
  expect(page.url()).toBe(`${home}/oauth2/redirect`)
  await pass(100)
  await page.getByRole('heading', { name: 'Hello, Ada' }).waitFor()
  // What the sidebar counts is asked for once the shell is there.
  expect(asked.filter((path) => path.startsWith('/api/') && path !== '/api/whatsapp/unread')).toEqual([])
})

const REFUSED = {
  status: 401,
  body: JSON.stringify({ error: 'This token is not ours.', message: 'This token is not ours.', code: 'x' }),
}
// Every other text and answer: web/features/accounts/google/callback.test.ts.
test.each([
  ['?error=%3Cb%3Ebold%3C%2Fb%3E', 'Authentication error: <b>bold</b>. Please try again.'],
  [
    `?error=access_denied&token=${unsigned({ _id: '1', exp: 9_999_999_999 })}`,
    'You denied access to your Google account. Please try again.',
  ],
  ['', 'No authentication token received. Please try again.'],
  ['?token=two.parts', 'This token is not ours.', REFUSED],
  [`?token=${unsigned({ _id: '1' })}`, 'Unauthorized'],
] as const)('google sign-in: at %s it shows: %s', async (search, text, response?: { status: number; body: string }) => {
  const { page, pass } = await openCallback(search, '/oauth2/redirect', response)
  await page.evaluate(() => {
    localStorage.setItem('token', 'of somebody before')
    localStorage.setItem('user', '{}')
  })
  await pass(100)
  await page.getByRole('alert').getByText(text, { exact: true }).waitFor()
  expect(page.url()).toBe(`${home}/oauth2/redirect`)
  expect(await storedSession(page)).toEqual([null, null])
  await page.getByRole('button', { name: 'Back to Login' }).waitFor()
  await pass(2_999)
  expect(page.url()).toBe(`${home}/oauth2/redirect`)
  await pass(1)
  await page.clock.resume()
  await page.waitForURL('**/login')
})

test('google sign-in: the button "Back to Login" opens the login page without waiting', async () => {
  const { page, pass } = await openCallback('?error=access_denied')
  await pass(100)
  await page.getByRole('button', { name: 'Back to Login' }).click()
  await page.clock.resume()
  await page.waitForURL('**/login')
})

test('google sign-in: a server that cannot be reached leads to the message of a failed verification', async () => {
  const { page, pass } = await openCallback('?token=two.parts')
  await page.route('**/api/auth/verify-token', (route) => route.abort())
  await pass(100)
  await page.getByRole('alert').getByText('Authentication failed. Please try again.').waitFor()
})

test('google sign-in: the token leaves the address bar before any script loads, and is in no Referer', async () => {
  const person = await t.person()
  const page = await openPage(browser, home)
  const referers: string[] = []
  const released = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    referers.push(route.request().headers().referer ?? '')
    await released.promise
    await route.continue()
  })
  const answer = await page.goto(`/oauth2/redirect?token=${person.token}`, { waitUntil: 'commit' })
  await page.waitForURL(`${home}/oauth2/redirect`, { waitUntil: 'commit' })
  released.resolve()
  expect(answer?.headers()).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  expect(await answer?.text()).not.toContain(person.token)
  await page.waitForURL('**/dashboard')
  expect(referers.length).toBeGreaterThan(3)
  expect(referers.filter((referer) => referer.includes('oauth2'))).toEqual([])
})

test('google sign-in: the button is on the login and sign-up pages only where Google is set up', async () => {
  await using production = await testApp({
    pages: 'built',
    environment: { NODE_ENV: 'production', SECRET_KEY: 'k'.repeat(40) },
  })
  for (const [address, offers] of [
    [home, true],
    [production.address, false],
  ] as const) {
    for (const path of ['/login', '/signup']) {
      const html = await (await fetch(address + path)).text()
      expect([path, html.includes('Continue with Google')]).toEqual([path, offers])
    }
  }
})

test('google sign-in: the callback screen has no accessibility faults or sideways scrolling in any theme', async () => {
  const page = await openPage(browser, home)
  // It leads on by itself after three seconds; here that wait never ends.
  await page.addInitScript(() => {
    const { setTimeout } = globalThis
    const endless = (act: () => void, ms?: number) => (ms === 3_000 ? 0 : setTimeout(act, ms))
    Object.assign(globalThis, { setTimeout: endless })
  })
  await page.goto(`/oauth2/redirect?error=${'long'.repeat(30)}`)
  await page.getByRole('alert').waitFor()
  expect(await screenFaults(page)).toEqual([])
})
