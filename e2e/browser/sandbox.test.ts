import nodemailer from 'nodemailer'
import { afterAll, expect, test } from 'vitest'
import { senders } from '#contracts/senders/senders.ts'
import { testApp } from '#server/testing/app.ts'
import { accessibilityFaults, openPage, sidewaysScroll } from '../support/browser.ts'
import { browser } from '../support/chromium.ts'

const t = await testApp({ pages: 'built', environment: { SMTP_URL: '' } })
afterAll(async () => {
  await t[Symbol.asyncDispose]()
})

async function send(subject: string) {
  const transport = nodemailer.createTransport(t.services.smtpUrl)
  await transport.sendMail({
    from: '"Ada Lovelace" <ada@example.com>',
    to: 'bob@example.com',
    subject,
    text: `Plain words of ${subject}`,
    html: `<h1>${subject}</h1><script>document.title = 'run'</script><img src="x" onerror="document.title = 'run'">`,
    headers: { 'List-Unsubscribe': '<https://example.com/u>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  })
  transport.close()
}

test('sandbox: new emails appear live, the open one stays open, and emptying the sandbox removes all', async () => {
  const page = await openPage(browser, t.address, { token: (await t.person({ role: 'admin' })).token })
  await page.goto('/sandbox')
  await page.getByText('No emails yet').waitFor()
  await page.getByText('later@', { exact: true }).waitFor()
  await send('First email')
  await page.frameLocator('iframe').getByRole('heading', { name: 'First email' }).waitFor()
  expect(await page.locator('iframe').getAttribute('sandbox')).not.toMatch(/scripts|same-origin/)
  await send('Second email')
  await page.getByText('2 emails').waitFor()
  await page.getByRole('heading', { name: 'First email', level: 2 }).waitFor()
  await page.keyboard.press('k')
  await page.getByRole('heading', { name: 'Second email', level: 2 }).waitFor()
  await page.getByRole('tab', { name: 'Text' }).click()
  await page.getByText('Plain words of Second email').waitFor()
  await page.getByRole('tab', { name: 'Headers' }).click()
  await page.getByText('One-click unsubscribe (RFC 8058)').waitFor()
  await page.getByRole('tab', { name: 'Source' }).click()
  await page.getByText('List-Unsubscribe=One-Click').waitFor()
  expect([await accessibilityFaults(page), await sidewaysScroll(page), await page.title()]).toEqual([
    [],
    0,
    'Sandbox · Postlark',
  ])

  await page.getByRole('searchbox').fill('first')
  await page.getByText('1 email', { exact: true }).waitFor()
  await page.getByRole('heading', { name: 'First email', level: 2 }).waitFor()
  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: 'Delete all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete emails' }).click()
  await page.getByText('No emails yet').waitFor()
  expect(page.complaints).toEqual([])
})

test('sandbox: on a phone the list and the email are separate screens', async () => {
  await send('For the pocket')
  const token = (await t.person({ role: 'admin' })).token
  const page = await openPage(browser, t.address, { token, viewport: { width: 375, height: 740 }, colorScheme: 'dark' })
  await page.goto('/sandbox')
  await page.getByRole('link', { name: /For the pocket/ }).click()
  await page.frameLocator('iframe').getByRole('heading', { name: 'For the pocket' }).waitFor()
  expect(await page.getByRole('list', { name: 'Emails' }).isVisible()).toBe(false)
  expect([await accessibilityFaults(page), await sidewaysScroll(page), page.complaints]).toEqual([[], 0, []])
  await page.getByRole('link', { name: 'All emails' }).click()
  await page.getByRole('link', { name: /For the pocket/ }).waitFor()
})

test('sandbox: a user reads the email they sent and no other', async () => {
  const person = await t.person()
  await send('Of nobody')
  const [sender] = (await person.api(senders.list, { query: {} })).items
  await person.api(senders.test, { params: { id: sender?.id ?? '' }, body: { to: 'ada@example.com' } })
  const page = await openPage(browser, t.address, { token: person.token })
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'View sent messages' }).click()
  await page.getByRole('heading', { name: '[Test] This sender works', level: 2 }).waitFor()
  await page.getByText('1 email', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'WhatsApp', exact: true }).click()
  await page.getByText('No sandbox number yet').waitFor()
  expect([await accessibilityFaults(page), await sidewaysScroll(page), page.complaints]).toEqual([[], 0, []])
})
