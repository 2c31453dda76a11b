import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from '#server/testing/app.ts'
import { accessibilityFaults, openBrowser, openPage, sidewaysScroll, untilStill } from '../support/browser.ts'

let t: Awaited<ReturnType<typeof testApp>>
let browser: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  ;[t, browser] = await Promise.all([
    testApp({ environment: { SMTP_URL: '' }, pages: 'built', intervals: { domainChecksMs: 500 } }),
    openBrowser(),
  ])
})
afterAll(async () => {
  await browser.close()
  await t[Symbol.asyncDispose]()
})

test('sending domains: one is added, published in the sandbox, verified and explained at the sender', async () => {
  const ada = await t.person()
  const page = await openPage(browser, t.address, { token: ada.token, viewport: { width: 375, height: 800 } })
  await page.goto('/sending-domains')
  await page.getByRole('button', { name: 'Add domain' }).first().click()
  await page.getByRole('textbox', { name: 'Domain' }).fill('co.uk')
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
  await page.getByText(/is a public suffix/).waitFor()
  await page.getByRole('textbox', { name: 'Domain' }).fill('Shop.Example')
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
  await page.getByText('Sandbox: your real DNS is not asked').waitFor()
  await page.getByText('Not published yet. Emails are signed once it is.').waitFor()
  expect(await page.getByRole('button', { name: 'Copy value' }).count()).toBe(4)
  await page.getByRole('button', { name: 'Publish these records in the sandbox DNS' }).click()
  await page.getByText('Verified', { exact: true }).waitFor()
  await untilStill(page)
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)
  await page.goto('/senders')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByLabel('From address').fill('news@shop.example')
  await page.getByText('Emails are signed for shop.example').waitFor()
  expect(page.complaints).toEqual([])
})
