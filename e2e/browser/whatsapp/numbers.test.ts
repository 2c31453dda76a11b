import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { whatsappTemplates } from '#contracts/whatsapp/templates.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import { accessibilityFaults, openPage, sidewaysScroll } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'

const world = await whatsAppWorld(t)

test('whatsapp: a user connects a number, gets a template approved and replies to a customer', async () => {
  const person = await t.person({ plan: 'pro' })
  const number = await world.business('Lindenbrot')
  const page = await openPage(browser, t.address, { token: person.token })
  await page.goto('/whatsapp-sender/inbox')
  await page.getByRole('link', { name: 'Connect number' }).click()
  await page.getByText('WhatsApp bans numbers that use unofficial clients').waitFor()
  await page.getByLabel('Phone number ID').fill(number.phoneNumberId)
  await page.getByLabel('Business account ID').fill(number.businessAccountId)
  await page.getByLabel('Access token').fill(number.accessToken)
  await page.getByLabel('App secret').fill('not-the-secret')
  await page.getByRole('button', { name: 'Check and connect' }).click()
  await page.getByText('This secret does not belong to the app').waitFor()
  await page.getByText('Meta accepts this token.').waitFor()
  await page.getByLabel('App secret').fill(number.appSecret)
  await page.getByRole('button', { name: 'Check and connect' }).click()
  await page.getByRole('heading', { name: number.verifiedName }).waitFor()
  await page.getByText('set automatically').waitFor()
  expect([await accessibilityFaults(page), await sidewaysScroll(page)]).toEqual([[], 0])

  await page.getByRole('main').getByRole('link', { name: 'Templates', exact: true }).click()
  await page.getByRole('link', { name: 'Create template' }).first().click()
  await page.getByLabel('Name').fill('Bread is ready')
  await page.getByLabel('Text', { exact: true }).fill('{{first_name}}')
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByText('Some fields need fixing').waitFor()
  await page.getByLabel('Text', { exact: true }).fill('Hello {{first_name}}, your bread is ready.')
  await page.getByLabel('{{first_name}}', { exact: true }).fill('Ada')
  await page.getByRole('figure').getByText('Hello Ada, your bread is ready.').waitFor()
  await page.getByRole('button', { name: 'Submit for review' }).click()
  const row = page.getByRole('row', { name: /bread_is_ready/ })
  await row.getByText('Approved').waitFor()

  expect(await sidewaysScroll(page)).toBe(0)
  await page.getByRole('link', { name: 'Inbox', exact: true }).click()
  await page.getByText('No conversations yet').waitFor()
  const customer = '447911123456'
  await world.says(number.phoneNumberId, customer, 'Is there *rye* bread?', 'Grace Hopper')
  await page.getByRole('link', { name: /Grace Hopper/ }).click()
  const messages = page.getByRole('region', { name: 'Messages' })
  await messages.getByText('Is there rye bread?').waitFor()
  await page.getByText(/23 h 5\d min left/).waitFor()
  // What is typed while a reply is sent stays.
  const typed = Promise.withResolvers<void>()
  await page.route('**/api/whatsapp/conversations/*/messages', async (route) => {
    if (route.request().method() === 'POST') await typed.promise
    await route.continue()
  })
  const reply = page.getByRole('textbox', { name: 'Reply' })
  await reply.fill('Yes, from four o’clock.')
  await page.keyboard.press('Enter')
  await reply.fill('Until six')
  typed.resolve()
  await messages.getByText('Yes, from four o’clock.').waitFor()
  await messages.getByText('Delivered').waitFor({ state: 'attached' })
  expect(await reply.inputValue()).toBe('Until six')
  await world.act(number.phoneNumberId, customer, { act: 'read' })
  await messages.getByText('Read', { exact: true }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  await page.getByRole('textbox', { name: 'Note for your team' }).fill('Keep two loaves back')
  await page.getByRole('button', { name: 'Save note' }).click()
  await messages.getByText('visible only to your team').waitFor()
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

test('whatsapp: the sandbox plays a customer who writes first, reads the reply and taps a button', async () => {
  const person = await t.person({ plan: 'pro' })
  const { number, account } = await world.connect(person)
  const page = await openPage(browser, t.address, {
    token: world.admin.token,
    viewport: { width: 375, height: 740 },
    colorScheme: 'dark',
  })
  await page.goto('/sandbox/whatsapp')
  await page.getByRole('button', { name: 'Simulate a message' }).click()
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
  await inbox.getByText('Two buttons have the same label').waitFor()
  await inbox.getByRole('textbox', { name: 'Button 2' }).fill('At noon')
  await inbox.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'At noon' }).click()
  await messages.getByText('Chose an option').waitFor()

  const image = { name: 'loaf.png', mimeType: 'image/png', buffer: readFileSync('sandbox/graph/image.png') }
  await inbox.getByLabel('File to attach').setInputFiles(image)
  await inbox.getByRole('textbox', { name: 'Caption' }).fill('Our rye')
  await inbox.keyboard.press('Enter')
  await page.getByRole('img', { name: 'Our rye' }).waitFor()
  await page.getByLabel('Message as this person').fill('Mine')
  await page.getByLabel('File of this person').setInputFiles(image)
  await messages.getByRole('img', { name: 'Mine' }).waitFor()
  for (const one of [page, inbox])
    expect([await accessibilityFaults(one), await sidewaysScroll(one), one.complaints]).toEqual([[], 0, []])
})

test('whatsapp: an admin rejects a new template with a reason and then approves it', async () => {
  const person = await t.person({ plan: 'pro' })
  const { account } = await world.connect(person)
  const reviewer = await openPage(browser, t.address, { token: world.admin.token })
  await reviewer.goto('/sandbox/whatsapp/templates')
  await reviewer.getByRole('switch', { name: 'Review new templates myself' }).click()
  await reviewer.getByRole('switch', { name: 'Review new templates myself', checked: true }).waitFor()
  await person.api(whatsappTemplates.create, {
    body: {
      accountId: account.id,
      name: 'harvest_fair',
      language: 'en',
      category: 'MARKETING',
      body: 'Come on Sunday.',
    },
  })
  await reviewer.getByRole('row', { name: /harvest_fair.*In review/ }).click()
  const panel = reviewer.getByRole('dialog', { name: 'harvest_fair' })
  await panel.getByLabel('Rejection reason').selectOption('SCAM')
  await panel.getByRole('button', { name: 'Reject template' }).click()
  const page = await openPage(browser, t.address, { token: person.token })
  await page.goto('/whatsapp-sender/templates')
  await page
    .getByRole('row', { name: /harvest_fair.*Rejected Meta identified it as a scam/ })
    .waitFor({ timeout: 60_000 })
  await panel.getByRole('button', { name: 'Approve template' }).click()
  await page.getByRole('row', { name: /harvest_fair.*Approved/ }).waitFor({ timeout: 60_000 })
  expect(await accessibilityFaults(reviewer)).toEqual([])
  await panel.getByRole('button', { name: 'Close' }).click()
  await reviewer.getByRole('switch', { name: 'Review new templates myself' }).click()
  await reviewer.getByRole('switch', { name: 'Review new templates myself', checked: false }).waitFor()
  expect([reviewer.complaints, page.complaints]).toEqual([[], []])
})

test('whatsapp: a template with an image header shows it in the preview and requires its sample', async () => {
  const person = await t.person({ plan: 'pro' })
  await world.connect(person)
  const page = await openPage(browser, t.address, { token: person.token })
  await page.goto('/whatsapp-sender/templates/new')
  await page.getByLabel('Name').fill('Spring menu')
  await page.getByLabel('Text', { exact: true }).fill('Our spring menu is here.')
  await page.getByLabel('Header').selectOption('Image')
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page.getByText('Choose a file for Meta’s reviewers.').waitFor()
  const file = page.getByLabel('Example image')
  await file.setInputFiles({ name: 'menu.png', mimeType: 'image/png', buffer: Buffer.from('no image') })
  await page.getByText('The content of the file does not match its name.').waitFor()
  await file.setInputFiles('sandbox/graph/image.png')
  await page.getByText('Uploaded to Meta').waitFor()
  await page.getByRole('figure').locator('img[src^="data:image/png"]').waitFor()
  expect([await accessibilityFaults(page), await sidewaysScroll(page), page.complaints]).toEqual([[], 0, []])
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await page
    .getByRole('row', { name: /spring_menu/ })
    .getByText('Approved')
    .waitFor({ timeout: 60_000 })
})
