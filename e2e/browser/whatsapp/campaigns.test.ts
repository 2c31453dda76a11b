import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { whatsappAutomations } from '#contracts/whatsapp/automations.ts'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { whatsappTemplates } from '#contracts/whatsapp/templates.ts'
import type { Person } from '#server/testing/app.ts'
import { until, whatsAppWorld } from '#server/testing/whatsapp.ts'
import { accessibilityFaults, openPage, sidewaysScroll } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'

const world = await whatsAppWorld(t)

/** Waits for what the emulator, the webhooks and the queue bring about; a busy machine may take its time. */
const PATIENCE = { timeout: 60_000 }

async function guests(ada: Person) {
  const list = await ada.api(lists.create, { body: { name: 'Guests' } })
  const ids: string[] = []
  for (const [phone, name] of [
    ['+447400300011', 'Grace Hopper'],
    ['+447400300012', ''],
    ['+447400300013', 'Nobody Asked'],
  ] as const)
    ids.push((await ada.api(contacts.create, { body: { phone, name, lists: [list.id] } })).id)
  await ada.api(whatsappConsents.create, {
    body: {
      contactIds: ids.slice(0, 2),
      how: 'form',
      purpose: 'orders',
      covers: ['utility'],
      givenAt: '2026-01-01T00:00:00Z',
    },
  })
}

test('whatsapp automation: a keyword reply with a question is saved, tried on the page and switched off', async () => {
  const ada = await t.person()
  const { account } = await world.connect(ada)
  const page = await openPage(browser, t.address, { token: ada.token })
  await page.goto('/whatsapp-sender/automations')
  await page.getByText('No keyword replies yet').waitFor(PATIENCE)
  await page.getByText(/Loops are not possible/).waitFor()
  await page.getByRole('button', { name: 'Add automation' }).click()
  await page.getByRole('menuitem', { name: /^Keyword/ }).click()
  await page.getByLabel('Name', { exact: true }).fill('Quote')
  await page.getByRole('button', { name: 'Save automation' }).click()
  await page.getByText(/The keywords are required/).waitFor()
  await page.getByLabel('Keywords', { exact: true }).fill('quote, offer')
  await page.getByLabel('Reply', { exact: true }).fill('Gladly, {{ name | default: "friend" }}.')
  await page.getByRole('button', { name: 'Add question' }).click()
  await page.getByLabel('Question', { exact: true }).fill('How large is your team?')
  await page.getByLabel('Save to field').selectOption('Another custom field')
  await page.getByLabel('Field name').fill('size')
  await page.getByLabel('Answer type', { exact: true }).selectOption('Number')
  await page.getByLabel('Hand over to a person').check()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Save automation' }).click()

  const talk = page.getByRole('log')
  const say = async (text: string) => {
    await page.getByLabel('Customer message').fill(text)
    await page.keyboard.press('Enter')
  }
  await page.getByLabel('Customer message').waitFor(PATIENCE)
  await say('An offer, please')
  await talk.getByText('Gladly, friend.').waitFor()
  await talk
    .getByText(/has the word “offer”/)
    .first()
    .waitFor()
  await say('many')
  await talk.getByText('That doesn’t look right. Please try again.').waitFor()
  await say('12')
  await talk.getByText('A person takes over from here.').waitFor()
  await page.getByRole('region', { name: 'Saved to the contact' }).getByText('12').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])

  await page.getByRole('switch', { name: 'Quote' }).click()
  await page.getByRole('switch', { name: 'Quote', checked: false }).waitFor()
  await talk.getByText('No automation replies to this.').first().waitFor()
  const { items } = await ada.api(whatsappAutomations.list, { query: { accountId: account.id } })
  expect(items).toMatchObject([{ name: 'Quote', active: false, rules: { keywords: ['quote', 'offer'] } }])
  expect(page.complaints).toEqual([])
})

/** Sends a test to a contact, and one to a number that nobody has until it is said to be one's own. */
async function sendTests(page: Page, phoneNumberId: string) {
  await page.getByText(/1 of 3 people (is|are) skipped: no consent is recorded/).waitFor(PATIENCE)
  await page.getByLabel('Send a test to').fill('+44 7400 300011')
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('Test message accepted').waitFor(PATIENCE)
  await until(async () => {
    const said = await world.chat(phoneNumberId, '447400300011').catch(() => [])
    return said[0]?.text === 'Hi Grace, your order A-1042 is on its way.'
  }, 'the test')
  // A number nobody knows is written to only where it is said to be one's own.
  await page.getByLabel('Send a test to').fill('+447400300019')
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText(/No contact has the number \+447400300019/).waitFor(PATIENCE)
  await page.getByLabel('This is my own number').check()
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByText('Test message accepted').waitFor(PATIENCE)
}

/** Opens the results, chooses a template and exports them by template. */
async function exportResults(page: Page) {
  await page.goto('/whatsapp-dash')
  const byCampaign = page.getByRole('table', { name: 'By campaign' })
  await byCampaign.getByRole('link', { name: /^Campaign \d/ }).waitFor(PATIENCE)
  await page.getByRole('table', { name: 'Cost by country' }).getByText('United Kingdom').waitFor()
  await page
    .getByText(/list prices of October 2026/)
    .first()
    .waitFor()
  await page.getByLabel('Template', { exact: true }).selectOption('order_update')
  await page.waitForURL(/template=order_update/)
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'By template' }).click(),
  ])
  expect(readFileSync(await file.path(), 'utf8')).toContain('"order_update"')
}

test('whatsapp campaign: it is sent to contacts with consent only, and its report shows the results', async () => {
  const ada = await t.person()
  const { account, number } = await world.connect(ada)
  await until(
    async () => {
      const { items } = await ada.api(whatsappTemplates.list, { query: { accountId: account.id } })
      return items.some((one) => one.name === 'order_update')
    },
    'templates',
    60,
  )
  await guests(ada)
  const page = await openPage(browser, t.address, { token: ada.token })
  await page.goto('/whatsapp-sender')
  await page.getByText('No campaigns yet').waitFor(PATIENCE)
  await page.getByRole('link', { name: 'New campaign' }).first().click()
  // The only number is chosen already.
  await page.getByRole('heading', { name: 'Choose recipients' }).waitFor()
  await page
    .getByText('2 of 5 reachable')
    .or(page.getByText(/of \d+ reachable/))
    .first()
    .waitFor()
  await page.getByRole('checkbox', { name: /Guests/ }).check()
  const shares = page.getByRole('list', { name: 'Recipients and skipped contacts' })
  await shares.getByText('skipped: no recorded consent').waitFor()
  await page.getByRole('heading', { name: '2 people will get it' }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()

  await page.getByRole('radio', { name: /order_update/ }).check()
  await page.getByLabel('Variable 1', { exact: true }).selectOption('First name')
  await page.getByLabel('Variable 1: fallback').fill('friend')
  await page.getByLabel('Variable 2', { exact: true }).selectOption('Same text for everyone')
  await page.getByLabel('Variable 2: text').fill('A-1042')
  await page
    .getByRole('figure', { name: 'Phone preview' })
    .getByText(/Hi Grace, your order A-1042 is on its way/)
    .waitFor()
  // Somebody who gets it, and not the contact without consent.
  await page.getByText('Preview as Grace Hopper').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)
  await page.getByRole('button', { name: 'Continue' }).click()

  await sendTests(page, number.phoneNumberId)
  await page.getByText('1 without recorded consent').waitFor()
  await page.getByRole('button', { name: 'Send to 2 people' }).click()

  await page.waitForURL(/\/whatsapp-sender\/\d+$/, PATIENCE)
  // “Sent” alone is also in the legend of the progress, before anything has reached the phone.
  await page.getByText(/2 messages delivered, 0 read/).waitFor(PATIENCE)
  await page.getByRole('region', { name: 'Result' }).getByText('Guests').waitFor()
  await world.act(number.phoneNumberId, '447400300011', { act: 'read' })
  await page.getByText(/2 messages delivered, 1 read/).waitFor(PATIENCE)
  const said = await world.chat(number.phoneNumberId, '447400300012')
  expect(said.map((one) => one.text)).toEqual(['Hi friend, your order A-1042 is on its way.'])
  expect(await world.chat(number.phoneNumberId, '447400300013').catch(() => [])).toEqual([])
  expect(await accessibilityFaults(page)).toEqual([])

  await exportResults(page)
  expect(await accessibilityFaults(page)).toEqual([])
  expect(page.complaints).toEqual([])
})
