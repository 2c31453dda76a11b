import { expect, test } from 'vitest'
import { until, untilPasses } from '#server/testing/until.ts'
import { openPage } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'

const unsigned = (claims: object) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`

test('shell: an invalid, expired or refused token leads to the login page and clears the session', async () => {
  const seconds = Math.floor(Date.now() / 1_000)
  const page = await openPage(browser, t.address)
  for (const token of [
    undefined,
    'garbage',
    unsigned({ _id: '1', exp: seconds - 1 }),
    unsigned({ _id: '1', exp: seconds + 1_000 }),
  ]) {
    await page.goto('/favicon.svg')
    await page.evaluate((value) => {
      localStorage.removeItem('token')
      if (value !== undefined) localStorage.setItem('token', value)
    }, token)
    await page.goto('/dashboard')
    await page.waitForURL('**/login')
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()
  }
})

test('shell: an error while loading the user is shown and ends the session', async () => {
  const page = await openPage(browser, t.address, { token: (await t.person()).token })
  await page.route('**/api/auth/user', (route) => route.fulfill({ status: 503, body: 'no' }))
  await page.goto('/dashboard')
  await page.getByText('Error: Authentication failed: 503').waitFor()
  await untilPasses(async () => expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull())
})

test('shell: a token under the old key is moved, and logging out works without the server', async () => {
  const page = await openPage(browser, t.address)
  await page.goto('/favicon.svg')
  await page.evaluate((token) => localStorage.setItem('authToken', token), (await t.person()).token)
  await page.goto('/account/security')
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
  expect(await page.evaluate(() => localStorage.getItem('authToken'))).toBeNull()
  await page.route('**/api/auth/logout', (route) => route.abort())
  await page.getByRole('button', { name: 'Log out', exact: true }).click()
  await page.waitForURL('**/login')
  expect(await page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('user')])).toEqual([null, null])
})

test('shell: the user menu returns the focus when it closes, and logging out works without its code', async () => {
  const page = await openPage(browser, t.address, { token: (await t.person()).token })
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: 'Hello, Robin' }).waitFor()
  const badge = page.getByRole('button', { name: /Robin Example/ })
  await badge.press('Enter')
  await page.getByRole('menuitem', { name: 'Logout' }).waitFor()
  await page.keyboard.press('Escape')
  await until(() => badge.evaluate((button) => button === document.activeElement), 'the focus on the user menu')
  expect(await badge.getAttribute('aria-expanded')).toBe('false')

  await page.route('**/assets/menus-*', (route) => route.abort())
  await page.reload()
  await page.getByRole('heading', { name: 'Hello, Robin' }).waitFor()
  await badge.click()
  await page.getByText('The menu could not be loaded.').waitFor()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL('**/login')
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})
