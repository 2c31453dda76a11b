import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { contacts, lists } from '#contracts/contacts.ts'
import { whatsappOptIns } from '#contracts/whatsapp.ts'
import { whatsappAutomations } from '#contracts/whatsapp-automations.ts'
import { whatsappTemplates } from '#contracts/whatsapp-templates.ts'
import { type Person, testApp } from '#server/testing/app.ts'
import { until, whatsAppWorld } from '#server/testing/whatsapp.ts'
import { accessibilityFaults, openBrowser, openPage, sidewaysScroll } from './browser.ts'

const t = await testApp({ pages: 'built' })
const world = await whatsAppWorld(t)
const browser = await openBrowser()
afterAll(async () => {
  await browser.close()
  await t[Symbol.asyncDispose]()
})

/** Waits for what the stand-in, the webhooks and the queue bring about; a busy machine may take its time. */
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
  await ada.api(whatsappOptIns.create, {
    body: {
      contactIds: ids.slice(0, 2),
      how: 'form',
      purpose: 'orders',
      covers: ['utility'],
      givenAt: '2026-01-01T00:00:00Z',
    },
  })
}

test('an automation is written in words, tried in the page and switched off', async () => {
  const ada = await t.person()
  const { account } = await world.connect(ada)
  const page = await openPage(browser, t.address, { token: ada.token })
  await page.goto('/whatsapp-sender/automations')
  await page.getByText('No word is answered by itself.').waitFor(PATIENCE)
  await page.getByText(/Loops cannot happen/).waitFor()
  await page.getByRole('button', { name: 'Add automation' }).click()
  await page.getByRole('menuitem', { name: /^Keyword/ }).click()
  await page.getByLabel('Name', { exact: true }).fill('Quote')
  await page.getByRole('button', { name: 'Save automation' }).click()
  await page.getByText(/The words are required/).waitFor()
  await page.getByLabel('Words').fill('quote, offer')
  await page.getByLabel('Reply').fill('Gladly, {{ name | default: "friend" }}.')
  await page.getByRole('button', { name: 'Add a question' }).click()
  await page.getByLabel('What is asked').fill('How large is your team?')
  await page.getByLabel('Goes into').selectOption('Another attribute')
  await page.getByLabel('Name of the attribute').fill('size')
  await page.getByLabel('Answer', { exact: true }).selectOption('A number')
  await page.getByLabel('Hand over to a person').check()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Save automation' }).click()

  const talk = page.getByRole('log')
  const say = async (text: string) => {
    await page.getByLabel('Message of the customer').fill(text)
    await page.keyboard.press('Enter')
  }
  await page.getByLabel('Message of the customer').waitFor(PATIENCE)
  await say('An offer, please')
  await talk.getByText('Gladly, friend.').waitFor()
  await talk
    .getByText(/has the word “offer”/)
    .first()
    .waitFor()
  await say('many')
  await talk.getByText('That does not look right. Please answer again.').waitFor()
  await say('12')
  await talk.getByText('A person takes over from here.').waitFor()
  await page.getByRole('region', { name: 'Written into the contact' }).getByText('12').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])

  await page.getByRole('switch', { name: 'Quote' }).click()
  await page.getByRole('switch', { name: 'Quote', checked: false }).waitFor()
  await talk.getByText('Nothing is set to answer this.').first().waitFor()
  const { items } = await ada.api(whatsappAutomations.list, { query: { accountId: account.id } })
  expect(items).toMatchObject([{ name: 'Quote', active: false, rules: { keywords: ['quote', 'offer'] } }])
  expect(page.complaints).toEqual([])
})

test('a campaign goes to who agreed, and its report and the results tell what became of it', async () => {
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
  await page.getByText('No campaign yet').waitFor(PATIENCE)
  await page.getByRole('link', { name: 'New campaign' }).first().click()
  await page.getByRole('radio', { name: new RegExp(account.name) }).check()
  // The first answer makes the draft.
  await page.waitForURL(/id=\d+/, PATIENCE)
  await page.getByRole('button', { name: 'Continue' }).click()

  await page.getByRole('checkbox', { name: /Guests/ }).check()
  const shares = page.getByRole('list', { name: 'Who gets it, and who is left out' })
  await shares.getByText('have no recorded consent and are left out').waitFor()
  await page.getByRole('heading', { name: '2 people get it' }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()

  await page.getByRole('radio', { name: /order_update/ }).check()
  await page.getByLabel('Place 1', { exact: true }).selectOption('First name')
  await page.getByLabel('Place 1: who has none reads').fill('friend')
  await page.getByLabel('Place 2', { exact: true }).selectOption('The same words for everybody')
  await page.getByLabel('Place 2: words').fill('A-1042')
  await page
    .getByRole('figure', { name: 'How it looks on a phone' })
    .getByText(/your order A-1042 is on its way/)
    .waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)
  await page.getByRole('button', { name: 'Continue' }).click()

  await page.getByText(/1 of 3 people (is|are) left out: no consent is recorded/).waitFor(PATIENCE)
  await page.getByLabel('Send a test to').fill('+44 7400 300011')
  await page.getByRole('button', { name: 'Send the test' }).click()
  await page.getByText('The test was handed over').waitFor(PATIENCE)
  await until(async () => {
    const said = await world.chat(number.phoneNumberId, '447400300011').catch(() => [])
    return said[0]?.text === 'Hi Grace, your order A-1042 is on its way.'
  }, 'the test')
  // A number nobody knows is written to only where it is said to be one's own.
  await page.getByLabel('Send a test to').fill('+447400300019')
  await page.getByRole('button', { name: 'Send the test' }).click()
  await page.getByText(/No contact has the number \+447400300019/).waitFor(PATIENCE)
  await page.getByLabel('This number is my own').check()
  await page.getByRole('button', { name: 'Send the test' }).click()
  await page.getByText('The test was handed over').waitFor(PATIENCE)
  await page.getByText('1 without a recorded consent').waitFor()
  await page.getByRole('button', { name: 'Send to 2 people' }).click()

  await page.waitForURL(/\/whatsapp-sender\/\d+$/, PATIENCE)
  await page.getByText('sent', { exact: true }).first().waitFor(PATIENCE)
  await world.act(number.phoneNumberId, '447400300011', { act: 'read' })
  await page.getByText(/2 messages delivered, 1 known to be read/).waitFor(PATIENCE)
  const said = await world.chat(number.phoneNumberId, '447400300012')
  expect(said.map((one) => one.text)).toEqual(['Hi friend, your order A-1042 is on its way.'])
  expect(await world.chat(number.phoneNumberId, '447400300013').catch(() => [])).toEqual([])
  expect(await accessibilityFaults(page)).toEqual([])

  await page.getByRole('link', { name: 'Results' }).click()
  const byCampaign = page.getByRole('table', { name: 'By campaign' })
  await byCampaign.getByRole('link', { name: /^Campaign of/ }).waitFor(PATIENCE)
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
  expect(await accessibilityFaults(page)).toEqual([])
  expect(page.complaints).toEqual([])
})
