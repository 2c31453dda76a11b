import type { Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { segments } from '#contracts/contacts/segments.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { untilPasses } from '#server/testing/until.ts'
import { accessibilityFaults, openPage, sidewaysScroll, untilStill } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'

test('segments: one is built with its count in sight, saved, used as a filter of contacts that are changed, and deleted', async () => {
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

  await page.getByRole('button', { name: 'Select all', exact: true }).click()
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await bar.getByText('2 selected').waitFor()
  await bar.getByRole('button', { name: 'Unsubscribe' }).click()
  await page.getByText('You can undo this for 24 hours under Recent changes').waitFor()
  await page.getByRole('button', { name: 'Unsubscribe 2 contacts' }).click()
  await page.getByText('2 contacts unsubscribed').waitFor()
  await page.getByText('Unsubscribed', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Undone for 2 contacts').waitFor()
  await page.getByText('Unsubscribed', { exact: true }).first().waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: 'Select this row' }).first().check()
  await bar.getByRole('button', { name: 'More actions for the selection' }).click()
  await page.getByRole('menuitem', { name: 'Remove', exact: true }).click()
  await page.getByText('1 contact removed').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  // At once: the toast that goes takes the focus, and the menu stays.
  await page.getByRole('button', { name: 'More actions', exact: true }).click()
  await page.getByText('Undone for 1 contact', { exact: true }).waitFor()
  await page.getByRole('menuitem', { name: 'Recent changes' }).click()
  const changes = page.getByRole('dialog', { name: 'Recent changes' }).getByRole('listitem')
  await changes.getByText('1 contact removed').waitFor()
  await changes.getByText('2 contacts unsubscribed').waitFor()
  await changes.getByText('Undone for 2 contacts.').waitFor()
  await untilStill(page)
  expect([await accessibilityFaults(page), await sidewaysScroll(page)]).toEqual([[], 0])
  await page.goto('/contacts/segments')
  await page.getByRole('button', { name: 'Actions for Best customers' }).click()
  await page.getByRole('menuitem', { name: 'Delete segment' }).click()
  await page.getByRole('button', { name: 'Delete segment' }).click()
  await page.getByText('No segments yet').waitFor()
  expect(page.complaints).toEqual([])
})

test('audience: the wizard counts lists and segments without those excluded, and the filters of contacts become a segment', async () => {
  const ada = await t.person()
  const { api } = ada
  const { id: vip } = await api(tags.create, { body: { name: 'VIP' } })
  const [news, old] = [
    await api(lists.create, { body: { name: 'News' } }),
    await api(lists.create, { body: { name: 'Former customers' } }),
  ]
  await api(contacts.create, { body: { email: 'ed@audience.example', lists: [news.id] } })
  await api(contacts.create, { body: { email: 'flo@audience.example', tags: [vip] } })
  await api(contacts.create, { body: { email: 'gil@audience.example', tags: [vip], lists: [old.id] } })
  await api(contacts.create, { body: { phone: '+4930123456', tags: [vip] } })

  const page = await openPage(browser, t.address, { token: ada.token, viewport: { width: 375, height: 800 } })
  await page.goto(`/contacts?tag=${vip}`)
  await page.getByText('flo@audience.example').first().waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Save as segment' }).click()
  await page.getByText('3 contacts', { exact: true }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('VIPs')
  await page.getByRole('button', { name: 'Create segment' }).click()
  await page.getByRole('link', { name: 'View contacts' }).waitFor()

  const { id } = await api(campaigns.create, { body: { name: 'News', subject: 'News', html: '<p>Hi</p>' } })
  await page.goto(`/email-sender/new?id=${id}&step=recipients`)
  await page.getByRole('checkbox', { name: /^News/ }).check()
  await page.getByText('1 person will get it').waitFor()
  await page.getByRole('checkbox', { name: 'VIPs' }).check()
  await page.getByText('3 people will get it').waitFor()
  await page.getByText('without an email address').waitFor()
  await page.getByRole('button', { name: 'Exclude lists or segments' }).click()
  await page.getByRole('group', { name: 'Lists to exclude' }).getByLabel('Former customers').check()
  await page.getByText('2 people will get it').waitFor()
  await page.getByText('excluded by your lists and segments').waitFor()
  await untilStill(page)
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)
  const saved = await api(campaigns.get, { params: { id } })
  const { items } = await api(segments.list, { query: {} })
  expect(saved).toMatchObject({ listIds: [news.id], segmentIds: [items[0]?.id], excludeListIds: [old.id] })
  await api(segments.remove, { params: { id: items[0]?.id ?? '' } })
  await page.reload()
  await page.getByText('A segment that this campaign is sent to was deleted', { exact: false }).waitFor()
  await page.getByRole('checkbox', { name: 'Deleted segment' }).click()
  await page.getByText('1 person will get it').waitFor()
  await page.setViewportSize({ width: 1280, height: 900 })
  expect(page.complaints).toEqual([])
})

test('audience: a response from before a choice, which comes after the choice was saved, does not undo it', async () => {
  const { api, token } = await t.person()
  const news = await api(lists.create, { body: { name: 'News' } })
  const { id } = await api(campaigns.create, { body: { name: 'News', subject: 'News', html: '<p>Hi</p>' } })
  const page = await openPage(browser, t.address, { token })
  await page.clock.install()
  await page.goto(`/email-sender/new?id=${id}&step=recipients`)
  const choice = page.getByRole('checkbox', { name: /^News/ })
  await choice.waitFor()
  const [asked, saved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let reads = 0
  await page.route(`**/api/campaigns/${id}`, async (route) => {
    if (route.request().method() !== 'GET' || reads++ > 0) return route.continue()
    const response = await route.fetch()
    asked.resolve()
    await saved.promise
    await route.fulfill({ response })
  })
  // Somebody comes back to the tab after a while.
  await page.clock.fastForward(11_000)
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await asked.promise
  await choice.check()
  await page.getByText('Saved', { exact: true }).waitFor()
  expect((await api(campaigns.get, { params: { id } })).listIds).toEqual([news.id])
  const isRead = (request: Request) => request.method() === 'GET' && request.url().endsWith(`/api/campaigns/${id}`)
  const old = page.waitForResponse((response) => isRead(response.request()))
  saved.resolve()
  await (await old).finished()
  await untilPasses(async () => expect(reads).toBe(2))
  expect(await choice.isChecked()).toBe(true)
})
