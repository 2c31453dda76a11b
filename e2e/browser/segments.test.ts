import { afterAll, beforeAll, expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { testApp } from '#server/testing/app.ts'
import { accessibilityFaults, openBrowser, openPage, sidewaysScroll, untilStill } from '../support/browser.ts'

let t: Awaited<ReturnType<typeof testApp>>
let browser: Awaited<ReturnType<typeof openBrowser>>
beforeAll(async () => {
  ;[t, browser] = await Promise.all([testApp({ pages: 'built' }), openBrowser()])
})
afterAll(async () => {
  await browser.close()
  await t[Symbol.asyncDispose]()
})

test('segments: one is built with its count in sight, saved, used as a filter of contacts and deleted', async () => {
  const ada = await t.person()
  const { id: vip } = await ada.api(tags.create, { body: { name: 'VIP' } })
  await ada.api(contacts.create, { body: { email: 'bo@example.com', tags: [vip] } })
  await ada.api(contacts.create, { body: { email: 'cy@example.com', attributes: { plan: '12' } } })
  await ada.api(contacts.create, { body: { email: 'di@example.com' } })
  const page = await openPage(browser, t.address, { token: ada.token, viewport: { width: 320, height: 800 } })
  await page.goto('/contacts/segments')
  await page.getByRole('link', { name: 'Create segment' }).first().click()
  await page.getByText('Complete every condition, or remove it.').waitFor()
  await page.getByRole('button', { name: 'Create segment' }).click()
  await page.getByText('Name is required.').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Best customers')
  await page.getByLabel('How many conditions must be true').selectOption('any condition')
  await page.getByLabel('Field').selectOption('Tag')
  await page.getByLabel('Value for Tag').selectOption('VIP')
  await page.getByText('1 contact', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add group' }).click()
  await page.getByLabel('Field').nth(1).selectOption('plan')
  await page.getByLabel('Operator for plan').selectOption('is at least')
  await page.getByLabel('Value for plan').fill('10')
  await page.getByText('2 contacts', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'cy@example.com' }).waitFor()
  await untilStill(page)
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)
  await page.getByRole('button', { name: 'Create segment' }).click()

  await page.getByRole('link', { name: 'View contacts' }).click()
  await page.getByRole('button', { name: 'Segment: Best customers' }).waitFor()
  await page.getByText('bo@example.com').first().waitFor()
  await page.getByText('di@example.com').waitFor({ state: 'detached' })
  await page.goto('/contacts/segments')
  await page.getByRole('button', { name: 'Actions for Best customers' }).click()
  await page.getByRole('menuitem', { name: 'Delete segment' }).click()
  await page.getByRole('button', { name: 'Delete segment' }).click()
  await page.getByText('No segments yet').waitFor()
  expect(page.complaints).toEqual([])
})
