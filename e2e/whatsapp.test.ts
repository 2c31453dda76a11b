import { readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { contacts, lists } from '#contracts/contacts.ts'
import { whatsappOptIns } from '#contracts/whatsapp.ts'
import { whatsappTemplates } from '#contracts/whatsapp-templates.ts'
import { testApp } from '#server/testing/app.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import { accessibilityFaults, openBrowser, openPage, sidewaysScroll } from './browser.ts'

const t = await testApp({ pages: 'built' })
const browser = await openBrowser()
const world = await whatsAppWorld(t)
afterAll(async () => {
  await browser.close()
  await t[Symbol.asyncDispose]()
})

test('a number is connected with each value answered for, a template goes through review, and a customer is answered', async () => {
  const person = await t.person({ plan: 'pro' })
  const number = await world.business('Lindenbrot')
  const page = await openPage(browser, t.address, { token: person.token })
  await page.goto('/whatsapp-sender/inbox')
  await page.getByRole('link', { name: 'Connect a number' }).click()
  await page.getByText('get the numbers of their users banned').waitFor()
  await page.getByLabel('Phone number id').fill(number.phoneNumberId)
  await page.getByLabel('Business account id').fill(number.businessAccountId)
  await page.getByLabel('Access token').fill(number.accessToken)
  await page.getByLabel('App secret').fill('not-the-secret')
  await page.getByRole('button', { name: 'Check and connect' }).click()
  await page.getByText('This secret is not that of the app').waitFor()
  await page.getByText('Meta takes this token.').waitFor()
  await page.getByLabel('App secret').fill(number.appSecret)
  await page.getByRole('button', { name: 'Check and connect' }).click()
  await page.getByRole('heading', { name: number.verifiedName }).waitFor()
  await page.getByText('set by us').waitFor()
  expect([await accessibilityFaults(page), await sidewaysScroll(page)]).toEqual([[], 0])

  await page.getByRole('link', { name: 'Templates', exact: true }).click()
  await page.getByRole('link', { name: 'Create template' }).first().click()
  await page.getByLabel('Name').fill('Bread is ready')
  await page.getByLabel('Text', { exact: true }).fill('{{first_name}}')
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByText('Some fields need mending').waitFor()
  await page.getByLabel('Text', { exact: true }).fill('Hello {{first_name}}, your bread is ready.')
  await page.getByLabel('{{first_name}}', { exact: true }).fill('Ada')
  await page.getByRole('figure').getByText('Hello Ada, your bread is ready.').waitFor()
  await page.getByRole('button', { name: 'Submit for review' }).click()
  const row = page.getByRole('row', { name: /bread_is_ready/ })
  await row.getByText('approved').waitFor({ timeout: 30_000 })

  expect(await sidewaysScroll(page)).toBe(0)
  await page.getByRole('link', { name: 'Inbox', exact: true }).click()
  await page.getByText('Nobody has written yet').waitFor()
  const customer = '447911123456'
  await world.says(number.phoneNumberId, customer, 'Is there *rye* bread?', 'Grace Hopper')
  await page.getByRole('link', { name: /Grace Hopper/ }).click()
  const messages = page.getByRole('region', { name: 'Messages' })
  await messages.getByText('Is there rye bread?').waitFor()
  await page.getByText(/23 h 5\d min left/).waitFor()
  await page.getByRole('textbox', { name: 'Reply' }).fill('Yes, from four o’clock.')
  await page.keyboard.press('Enter')
  await messages.getByText('Yes, from four o’clock.').waitFor()
  await messages.getByText('Delivered').waitFor({ state: 'attached' })
  await world.act(number.phoneNumberId, customer, { act: 'read' })
  await messages.getByText('Read', { exact: true }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  await page.getByRole('textbox', { name: 'Note for your team' }).fill('Keep two loaves back')
  await page.getByRole('button', { name: 'Keep note' }).click()
  await messages.getByText('only for your team').waitFor()
  await page.getByRole('button', { name: 'Send a template' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').fill('Grace')
  await dialog.getByRole('button', { name: 'Send template' }).click()
  await messages.getByText('Hello Grace, your bread is ready.').waitFor()
  expect([await accessibilityFaults(page), await sidewaysScroll(page)]).toEqual([[], 0])

  await world.says(number.phoneNumberId, customer, 'STOP', 'Grace Hopper')
  await page.getByRole('region', { name: 'Conversation', exact: true }).getByText('opted out').waitFor()
  expect(page.complaints).toEqual([])
})

test('the sandbox plays the customer: he writes first, reads the answer and taps, on a narrow screen in the dark', async () => {
  const person = await t.person({ plan: 'pro' })
  const { number, account } = await world.connect(person)
  const page = await openPage(browser, t.address, {
    token: world.admin.token,
    viewport: { width: 375, height: 740 },
    colorScheme: 'dark',
  })
  await page.goto('/sandbox/whatsapp')
  await page.getByRole('button', { name: 'Write as somebody' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('To').selectOption(number.phoneNumberId)
  await dialog.getByLabel('Message').fill('Do you deliver?')
  await dialog.getByRole('button', { name: 'Send message' }).click()
  await page.getByRole('log').getByText('Do you deliver?').waitFor()

  const inbox = await openPage(browser, t.address, {
    token: person.token,
    viewport: { width: 375, height: 740 },
    colorScheme: 'dark',
  })
  await inbox.goto(`/whatsapp-sender/inbox?number=${account.id}`)
  await inbox.getByRole('link', { name: /Grace Hopper/ }).click()
  await inbox.getByRole('textbox', { name: 'Reply' }).fill('We do, every morning.')
  await inbox.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('log').getByText('We do, every morning.').waitFor()
  await page.getByLabel('Message as this person').fill('Lovely')
  await page.keyboard.press('Enter')
  const messages = inbox.getByRole('region', { name: 'Messages' })
  await messages.getByText('Lovely').waitFor()

  await inbox.getByRole('button', { name: 'Add reply buttons' }).click()
  await inbox.getByRole('textbox', { name: 'Button 1' }).fill('At nine')
  await inbox.keyboard.press('Enter')
  await inbox.getByRole('textbox', { name: 'Button 2' }).fill('At Nine')
  await inbox.getByRole('textbox', { name: 'Reply' }).fill('When shall we come?')
  await inbox.keyboard.press('Enter')
  await inbox.getByText('Two buttons say the same').waitFor()
  await inbox.getByRole('textbox', { name: 'Button 2' }).fill('At noon')
  await inbox.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'At noon' }).click()
  await messages.getByText('Chose an answer').waitFor()

  const picture = { name: 'loaf.png', mimeType: 'image/png', buffer: readFileSync('sandbox/graph/picture.png') }
  await inbox.getByLabel('File to attach').setInputFiles(picture)
  await inbox.getByRole('textbox', { name: 'Words under the file' }).fill('Our rye')
  await inbox.keyboard.press('Enter')
  await page.getByRole('img', { name: 'Our rye' }).waitFor()
  await page.getByLabel('Message as this person').fill('Mine')
  await page.getByLabel('File of this person').setInputFiles(picture)
  await messages.getByRole('img', { name: 'Mine' }).waitFor()
  for (const one of [page, inbox])
    expect([await accessibilityFaults(one), await sidewaysScroll(one), one.complaints]).toEqual([[], 0, []])
})

test('an admin plays Meta’s reviewer: new templates wait, one is refused with a reason and then approved', async () => {
  const person = await t.person({ plan: 'pro' })
  const { account } = await world.connect(person)
  const reviewer = await openPage(browser, t.address, { token: world.admin.token })
  await reviewer.goto('/sandbox/whatsapp/templates')
  await reviewer.getByRole('switch', { name: 'New templates wait for my decision' }).click()
  await reviewer.getByRole('switch', { name: 'New templates wait for my decision', checked: true }).waitFor()
  await person.api(whatsappTemplates.create, {
    body: {
      accountId: account.id,
      name: 'harvest_fair',
      language: 'en',
      category: 'MARKETING',
      body: 'Come on Sunday.',
    },
  })
  await reviewer.getByRole('row', { name: /harvest_fair.*in review/ }).click()
  const panel = reviewer.getByRole('dialog', { name: 'harvest_fair' })
  await panel.getByLabel('Why it is rejected').selectOption('SCAM')
  await panel.getByRole('button', { name: 'Reject template' }).click()
  const page = await openPage(browser, t.address, { token: person.token })
  await page.goto('/whatsapp-sender/templates')
  await page.getByRole('row', { name: /harvest_fair.*rejected Meta takes it for a scam/ }).waitFor({ timeout: 60_000 })
  await panel.getByRole('button', { name: 'Approve template' }).click()
  await page.getByRole('row', { name: /harvest_fair.*approved/ }).waitFor({ timeout: 60_000 })
  expect(await accessibilityFaults(reviewer)).toEqual([])
  await panel.getByRole('button', { name: 'Close' }).click()
  await reviewer.getByRole('switch', { name: 'New templates wait for my decision' }).click()
  await reviewer.getByRole('switch', { name: 'New templates wait for my decision', checked: false }).waitFor()
  expect([reviewer.complaints, page.complaints]).toEqual([[], []])
})

test('nobody is written to first without a consent; recorded where the contact is, it opens the way', async () => {
  const person = await t.person({ plan: 'pro' })
  await world.connect(person)
  await person.api(contacts.create, { body: { name: 'Ada Lovelace', phone: '+447911123457' } })
  const page = await openPage(browser, t.address, { token: person.token })
  const writeFirst = async () => {
    await page.goto('/whatsapp-sender/inbox')
    await page.getByRole('button', { name: 'Write first' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Template').selectOption({ label: 'hello_world · American English · Utility' })
    await dialog.getByRole('button', { name: /Ada Lovelace/ }).click()
    await dialog.getByRole('button', { name: 'Send template' }).click()
    return dialog
  }
  await (await writeFirst()).getByText('no recorded consent').waitFor()
  await page.goto('/contacts')
  await page.getByText('Ada Lovelace').click()
  await page.getByText('None is recorded').waitFor()
  await page.getByRole('button', { name: 'Record consent' }).click()
  const dialog = page.getByRole('dialog', { name: /consent of Ada/ })
  await dialog.getByRole('button', { name: 'Record consent' }).click()
  await dialog.getByText('Choose how it was given.').waitFor()
  await dialog.getByLabel('How it was given').selectOption('On paper')
  await dialog.getByLabel('When').fill('2026-03-04')
  await dialog.getByLabel('For what').fill('News of the bakery')
  for (const kind of ['Marketing', 'Utility']) await dialog.getByLabel(kind).check()
  await dialog.getByRole('button', { name: 'Record consent' }).click()
  await page.getByText('News of the bakery').waitFor()
  await page.getByText('counts', { exact: true }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await writeFirst()
  await page.getByRole('region', { name: 'Messages' }).getByText('Delivered').waitFor({ state: 'attached' })
  await page.getByText('has not written yet').waitFor()
  expect([await accessibilityFaults(page), await sidewaysScroll(page), page.complaints]).toEqual([[], 0, []])
})

test('consents come with an import only when somebody says so, and are recorded for a whole list at once', async () => {
  const person = await t.person({ plan: 'pro' })
  const page = await openPage(browser, t.address, { token: person.token })
  const consent = async (place: Pick<typeof page, 'getByLabel'>) => {
    await place.getByLabel('How it was given').selectOption('On a form or a website')
    await place.getByLabel('When').fill('2026-03-04')
    await place.getByLabel('For what').fill('news of the bakery')
    await place.getByLabel('Marketing').check()
  }
  await page.goto('/contacts/import')
  await page.getByRole('button', { name: 'Paste rows instead' }).click()
  await page.getByLabel(/^Rows, with/).fill('phone,name\n+447400300021,Ann\n+447400300022,Ben')
  await page.getByRole('button', { name: 'Use these rows' }).click()
  const agreed = page.getByRole('checkbox', { name: /Everybody in this file agreed/ })
  expect(await agreed.isChecked()).toBe(false)
  await agreed.check()
  await page.getByRole('button', { name: 'Start the import' }).click()
  await page.getByText('This is required: for what may they be written to?').waitFor()
  expect([await accessibilityFaults(page), await sidewaysScroll(page)]).toEqual([[], 0])
  await consent(page)
  await page.getByLabel('Name of the new list').fill('Agreed')
  await page.getByRole('button', { name: 'Start the import' }).click()
  await page.getByText('consent to WhatsApp recorded for 2 numbers').waitFor({ timeout: 60_000 })

  const list = await person.api(lists.create, { body: { name: 'By hand' } })
  await person.api(contacts.create, { body: { phone: '+447400300023', name: 'Cy', lists: [list.id] } })
  await person.api(contacts.create, { body: { email: 'dee@example.com', name: 'Dee', lists: [list.id] } })
  await page.goto(`/contacts?list=${list.id}`)
  await page.getByRole('checkbox', { name: /all/i }).first().check()
  await page.getByRole('button', { name: 'Record WhatsApp consent' }).click()
  const dialog = page.getByRole('dialog')
  await consent(dialog)
  await dialog.getByRole('button', { name: 'Record for 2 contacts' }).click()
  await page.getByText('Consent recorded for 1 contact. Left out: 1 contact without a phone number.').waitFor()
  const { items } = await person.api(whatsappOptIns.list, { query: {} })
  expect(items.map(({ phone, purpose }) => [phone, purpose]).sort()).toEqual(
    ['+447400300021', '+447400300022', '+447400300023'].map((phone) => [phone, 'news of the bakery']),
  )
  expect(page.complaints).toEqual([])
})
