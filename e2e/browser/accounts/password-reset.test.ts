import { expect, test } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'
import { json, type Reply, replyTo } from '../../support/replies.ts'

const PASSWORD = 'seven larks over a field'

async function openReset(given: Reply | null, search = '?token=a-token') {
  const page = await openPage(browser, t.address)
  await replyTo(page, 'reset-password', given)
  await page.clock.install()
  await page.goto(`/reset-password${search}`)
  const submit = async (password: string, again = password) => {
    await page.getByLabel('New Password').fill(password)
    await page.getByLabel('Confirm Password').fill(again)
    await page.getByRole('button', { name: 'Reset Password' }).click()
  }
  return { page, submit }
}

test.each([
  ['the words of the server', { status: 400, ...json({ error: 'This link is too old.' }) }, 'This link is too old.'],
  ['nothing', { status: 500, body: '' }, 'Failed to reset password.'],
  ['an empty error', { status: 400, ...json({ error: '' }) }, 'Failed to reset password.'],
  ['no connection', null, 'An unexpected error occurred.'],
] as const)('password reset: a request that gets %s shows an error and stays on the page', async (_, given, text) => {
  const { page, submit } = await openReset(given)
  await submit(PASSWORD)
  await page.getByRole('alert').getByText(text, { exact: true }).waitFor()
  await page.clock.runFor(10_000)
  expect(page.url()).toContain('/reset-password')
})

test('password reset: both fields are required, must match and must hold an allowed password', async () => {
  const { page, submit } = await openReset({
    status: 400,
    ...json({
      error: 'x',
      message: 'x',
      code: 'invalid',
      details: [{ field: 'newPassword', message: 'is one of the most used passwords.' }],
    }),
  })
  await page.getByRole('button', { name: 'Reset Password' }).click()
  for (const field of ['New Password', 'Confirm Password']) await page.getByText(`${field} is required.`).waitFor()
  await submit(PASSWORD, 'something else')
  await page.getByText('Passwords do not match.', { exact: true }).waitFor()
  await submit('short')
  await page.getByText('New Password must have at least 10 characters.').waitFor()
  await submit('password12345')
  await page.getByText('New Password is one of the most used passwords.', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Back to Login' }).getAttribute('href')).toBe('/login')
})

test('password reset: the success message stays for three seconds, then the login page opens', async () => {
  const { page, submit } = await openReset({ status: 200, ...json({ message: 'Your password is changed.' }) })
  await page.evaluate((token) => localStorage.setItem('token', token), (await t.person()).token)
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await submit(PASSWORD)
  await page.getByRole('status').getByText('Your password is changed.').waitFor()
  await page.clock.runFor(2_999)
  expect(page.url()).toContain('/reset-password')
  await page.clock.runFor(1)
  await page.clock.resume()
  await page.waitForURL('**/login')
})

test('password reset: a page without a token says so and links to a new request', async () => {
  const { page, submit } = await openReset(null, '')
  await page.getByText('This link has no reset code.').waitFor()
  await submit(PASSWORD)
  await page.getByRole('alert').getByText('Failed to reset password.').waitFor()
  await page.getByRole('link', { name: 'request a new one' }).click()
  await page.waitForURL('**/pass-reset')
})

test.each(['/reset-password?token=x', '/verify-email?token=x'])(
  'password reset: %s is not cached and sends no Referer',
  async (path) => {
    const response = await fetch(t.address + path)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  },
)
