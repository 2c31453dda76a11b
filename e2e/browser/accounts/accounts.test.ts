import { expect, test } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'

const PASSWORD = 'seven larks over a field'
const linkIn = (text: string | undefined, path: string) =>
  new URL(text?.match(new RegExp(`https?://\\S+${path}\\?token=\\S+`))?.[0] ?? 'no link in the mail')

test('sign-up: a new user confirms the email address and opens the dashboard', async () => {
  const page = await openPage(browser, t.address)

  await page.goto('/signup')
  await page.getByRole('button', { name: 'Sign up' }).click()
  for (const field of ['Name', 'Email', 'Password']) await page.getByText(`${field} is required.`).waitFor()
  await page.getByLabel('Name').fill('Maximiliane Müller-Lüdenscheidt')
  await page.getByLabel('Email').fill('max@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill('short')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByText('Password must have at least 10 characters.').waitFor()
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()

  const mail = await t.sink.waitFor((one) => one.to.includes('max@example.com'))
  const link = linkIn(mail.text, '/verify-email')
  await page.goto(link.pathname + link.search)
  // Opening the link has changed nothing: the address is confirmed by the press only.
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await page.waitForURL('**/dashboard')
  await page.getByText('Hello, Maximiliane').waitFor()
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}').email)).toBe('max@example.com')
  expect(page.complaints).toEqual([])

  await page.goto(link.pathname + link.search)
  await page.getByRole('button', { name: 'Confirm email' }).click()
  await page.getByRole('alert').waitFor()
})

test('login: a wrong password shows an error, and the right one opens the page first requested', async () => {
  const person = await t.person()
  const page = await openPage(browser, t.address)

  await page.goto('/account?part=sessions#top')
  await page.waitForURL('**/login')
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').getByText('The email address or password is incorrect.').waitFor()
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL('**/account?part=sessions#top')
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
})

test('login: a refusal without a text shows "Login failed"', async () => {
  const page = await openPage(browser, t.address)
  await page.route('**/api/auth/login', (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto('/login')
  await page.getByLabel('Email').fill('a@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill('whatever it is')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').getByText('Login failed', { exact: true }).waitFor()
})

test('password reset: the emailed link sets a new password once, and the login page opens', async () => {
  const person = await t.person()
  const page = await openPage(browser, t.address)

  await page.goto('/pass-reset')
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByRole('status').getByText('If there is an account').waitFor()
  const mail = await t.sink.waitFor((one) => one.to.includes(person.email))
  const link = linkIn(mail.text, '/reset-password')
  await page.goto(link.pathname + link.search)
  await page.getByLabel('New Password').fill('one')
  await page.getByLabel('Confirm Password').fill('other')
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await page.getByText('Passwords do not match.').waitFor()
  await page.getByLabel('New Password').fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await page.getByRole('status').waitFor()
  await page.waitForURL('**/login')

  await page.goto(link.pathname + link.search)
  await page.getByLabel('New Password').fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await page.getByRole('alert').waitFor()
})
