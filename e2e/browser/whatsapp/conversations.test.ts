import { expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { whatsappConversations } from '#contracts/whatsapp/inbox.ts'
import { untilPasses } from '#server/testing/until.ts'
import { whatsAppWorld } from '#server/testing/whatsapp.ts'
import { accessibilityFaults, openPage, sidewaysScroll } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'

const world = await whatsAppWorld(t)

test('whatsapp: a first message requires a consent, which is recorded with the contact', async () => {
  const person = await t.person({ plan: 'pro' })
  await world.connect(person)
  await person.api(contacts.create, { body: { name: 'Ada Lovelace', phone: '+447911123457' } })
  const page = await openPage(browser, t.address, { token: person.token })
  const writeFirst = async () => {
    await page.goto('/whatsapp-sender/inbox')
    await page.getByRole('button', { name: 'New conversation' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Template').selectOption({ label: 'hello_world · American English · Utility' })
    await dialog.getByRole('button', { name: /Ada Lovelace/ }).click()
    await dialog.getByRole('button', { name: 'Send template' }).click()
    return dialog
  }
  await (await writeFirst()).getByText('no recorded consent').waitFor()
  await page.goto('/contacts')
  await page.getByText('Ada Lovelace').click()
  await page.getByText('No consent recorded').waitFor()
  await page.getByRole('button', { name: 'Record consent' }).click()
  const dialog = page.getByRole('dialog', { name: /consent for Ada/ })
  await dialog.getByRole('button', { name: 'Record consent' }).click()
  await dialog.getByText('Choose how consent was given.').waitFor()
  await dialog.getByLabel('How consent was given').selectOption('On paper')
  await dialog.getByLabel('When').fill('2026-03-04')
  await dialog.getByLabel('Purpose').fill('News of the bakery')
  for (const kind of ['Marketing', 'Utility']) await dialog.getByLabel(kind).check()
  await dialog.getByRole('button', { name: 'Record consent' }).click()
  // It is in the consents and in the timeline.
  await page.getByText('News of the bakery').first().waitFor()
  await page.getByText('Active', { exact: true }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await writeFirst()
  await page.getByRole('region', { name: 'Messages' }).getByText('Delivered').waitFor({ state: 'attached' })
  await page.getByText('has not written yet').waitFor()
  expect([await accessibilityFaults(page), await sidewaysScroll(page), page.complaints]).toEqual([[], 0, []])
})

test('whatsapp: consents are recorded for an import only on request, and for a whole list at once', async () => {
  const person = await t.person({ plan: 'pro' })
  const page = await openPage(browser, t.address, { token: person.token })
  const consent = async (place: Pick<typeof page, 'getByLabel'>) => {
    await place.getByLabel('How consent was given').selectOption('On a form or a website')
    await place.getByLabel('When').fill('2026-03-04')
    await place.getByLabel('Purpose').fill('news of the bakery')
    await place.getByLabel('Marketing').check()
  }
  await page.goto('/contacts/import')
  await page.getByRole('button', { name: 'Paste rows instead' }).click()
  await page.getByLabel(/^Rows, starting/).fill('phone,name\n+447400300021,Ann\n+447400300022,Ben')
  await page.getByRole('button', { name: 'Use these rows' }).click()
  const agreed = page.getByRole('checkbox', { name: /Everyone in this file gave consent/ })
  expect(await agreed.isChecked()).toBe(false)
  await agreed.check()
  await page.getByRole('button', { name: 'Import contacts' }).click()
  await page.getByText('This is required: what may be sent to them?').waitFor()
  expect([await accessibilityFaults(page), await sidewaysScroll(page)]).toEqual([[], 0])
  await consent(page)
  await page.getByLabel('List name').fill('Agreed')
  await page.getByRole('button', { name: 'Import contacts' }).click()
  await page.getByText('WhatsApp consent recorded for 2 numbers').waitFor({ timeout: 60_000 })

  const list = await person.api(lists.create, { body: { name: 'By hand' } })
  await person.api(contacts.create, { body: { phone: '+447400300023', name: 'Cy', lists: [list.id] } })
  await person.api(contacts.create, { body: { email: 'dee@example.com', name: 'Dee', lists: [list.id] } })
  await page.goto(`/contacts?list=${list.id}`)
  await page.getByRole('checkbox', { name: /all/i }).first().check()
  await page.getByRole('button', { name: 'More actions for the selection' }).click()
  await page.getByRole('menuitem', { name: 'Record WhatsApp consent' }).click()
  const dialog = page.getByRole('dialog')
  await consent(dialog)
  await dialog.getByRole('button', { name: 'Record for 2 contacts' }).click()
  await page
    .getByText('Consent recorded for 1 contact. Skipped: 1 contact without a phone number, or who opted out.')
    .waitFor()
  const { items } = await person.api(whatsappConsents.list, { query: {} })
  expect(items.map(({ phone, purpose }) => [phone, purpose]).sort()).toEqual(
    ['+447400300021', '+447400300022', '+447400300023'].map((phone) => [phone, 'news of the bakery']),
  )
  // After a reload the notice is gone.
  await page.reload()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Recent changes' }).click()
  await page.getByRole('button', { name: 'Undo: Consent recorded for 1 contact' }).click()
  await page.getByText('Undone for 1 contact.').waitFor()
  const left = (await person.api(whatsappConsents.list, { query: {} })).items
  expect(left.map(({ phone }) => phone).sort()).toEqual(['+447400300021', '+447400300022'])
  expect(page.complaints).toEqual([])
})

test('whatsapp: a conversation that is closed while its customer writes is open and read', async () => {
  const person = await t.person({ plan: 'pro' })
  const { number } = await world.connect(person)
  await world.says(number.phoneNumberId, '447911123463', 'Good morning', 'Joan Clarke')
  const page = await openPage(browser, t.address, { token: person.token })
  await page.goto('/whatsapp-sender/inbox')
  await page.getByRole('link', { name: /Joan Clarke/ }).click()
  // The response to Close is older than what the live connection tells meanwhile.
  const [closed, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/api/whatsapp/conversations/*', async (route) => {
    if (route.request().postDataJSON()?.state !== 'closed') return route.fallback()
    const response = await route.fetch()
    closed.resolve()
    await told.promise
    await route.fulfill({ response })
  })
  const one = page.getByRole('region', { name: 'Conversation', exact: true })
  await one.getByRole('button', { name: 'Close', exact: true }).click()
  await closed.promise
  await world.says(number.phoneNumberId, '447911123463', 'Anybody?', 'Joan Clarke')
  await page.getByRole('region', { name: 'Messages' }).getByText('Anybody?').waitFor()
  told.resolve()
  await page.getByText('Closed. It reopens when they write.').waitFor()
  expect(await one.getByText('Closed', { exact: true }).count()).toBe(0)
  const [conversation] = (await person.api(whatsappConversations.list, { query: {} })).items
  const params = { id: conversation?.id ?? '' }
  await untilPasses(async () =>
    expect(await person.api(whatsappConversations.get, { params })).toMatchObject({ state: 'open', unread: 0 }),
  )
})

test('whatsapp: a conversation is saved, assigned, closed and found, and a number gets a new token', async () => {
  const person = await t.person({ plan: 'pro', name: 'Robin Example' })
  const { number } = await world.connect(person)
  await world.says(number.phoneNumberId, '447911123461', 'Where is my order?', 'Alan Turing')
  await world.says(number.phoneNumberId, '447911123462', 'Good morning', 'Mary Jackson')
  const page = await openPage(browser, t.address, { token: person.token })
  await page.goto('/whatsapp-sender/inbox')
  const list = page.getByRole('list', { name: 'Conversations' })
  await list.getByRole('link', { name: /Mary Jackson/ }).waitFor()
  await page.getByLabel('Search conversations').fill('my order')
  await list.getByRole('link', { name: /Mary Jackson/ }).waitFor({ state: 'detached' })
  await list.getByRole('link', { name: /Alan Turing/ }).click()
  const one = page.getByRole('region', { name: 'Conversation', exact: true })
  await one.getByRole('button', { name: 'More actions for this conversation' }).click()
  await page.getByRole('menuitem', { name: 'Save as contact' }).click()
  await page.getByText('Saved to your contacts').waitFor()
  await page.getByRole('complementary', { name: 'Contact' }).getByText('No consent recorded').waitFor()
  const field = one.getByRole('textbox', { name: 'Reply' })
  await field.fill('/')
  await one.getByRole('button', { name: 'Create saved reply' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create saved reply' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Order status')
  await page.getByRole('dialog').getByLabel('Text').fill('Hi {{first_name}}, it left today.')
  await page.getByRole('dialog').getByRole('button', { name: 'Create saved reply' }).click()
  await page.getByRole('dialog').getByText('Hi {{first_name}}, it left today.').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await field.fill('/order')
  await page.getByRole('option', { name: /Order status/ }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await field.press('Enter')
  expect(await field.inputValue()).toBe('Hi Alan, it left today.')
  // What was not sent stays while another conversation is read.
  await page.getByLabel('Search conversations').fill('')
  await list.getByRole('link', { name: /Mary Jackson/ }).click()
  await one.getByRole('heading', { name: 'Mary Jackson' }).waitFor()
  expect(await field.inputValue()).toBe('')
  await list.getByRole('link', { name: /Alan Turing/ }).click()
  await one.getByRole('heading', { name: 'Alan Turing' }).waitFor()
  expect(await field.inputValue()).toBe('Hi Alan, it left today.')
  await field.fill('')
  await one.getByRole('button', { name: 'Assign' }).click()
  await page.getByRole('menuitemradio', { name: 'Robin Example' }).click()
  await one.getByRole('button', { name: 'Robin Example' }).waitFor()
  await one.getByRole('button', { name: 'Note', exact: true }).click()
  await page.getByRole('textbox', { name: 'Note for your team' }).fill('Order A-1042')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Messages' }).getByText('Order A-1042').waitFor()
  await one.getByRole('button', { name: 'Close', exact: true }).click()
  await one.getByText('Closed', { exact: true }).waitFor()
  await page.getByLabel('Show conversations').selectOption('Closed')
  await list.getByRole('link', { name: /Alan Turing/ }).waitFor()
  // It opens by itself as soon as they write again.
  await world.says(number.phoneNumberId, '447911123461', 'Hello?', 'Alan Turing')
  await one.getByText('Closed', { exact: true }).waitFor({ state: 'detached' })
  expect((await person.api(contacts.list, { query: { q: 'Alan' } })).items).toMatchObject([{ phone: '+447911123461' }])

  await page.goto('/whatsapp-sender/numbers')
  await page.getByText('2,000 people a day').waitFor()
  const actions = page.getByRole('button', { name: /^Actions for/ })
  const edit = page.getByRole('menuitem', { name: 'Edit name, token or secret' })
  const dialog = page.getByRole('dialog')
  await actions.click()
  await edit.click()
  await dialog.getByLabel('Access token').fill('EAAwrong')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog
    .getByText(/token/i, { exact: false })
    .filter({ hasText: /not|no longer/ })
    .first()
    .waitFor()
  await dialog.getByLabel('Access token').fill(number.accessToken)
  await dialog.getByLabel('Name').fill('Front desk')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { name: 'Front desk' }).waitFor()
  const focusIsBack = () =>
    untilPasses(async () => expect(await actions.evaluate((button) => button === document.activeElement)).toBe(true))
  await dialog.waitFor({ state: 'detached' })
  // By the keyboard alone, and back to where it began.
  await actions.press('ArrowDown')
  await edit.press('Enter')
  await dialog.getByLabel('Name').press('Escape')
  await focusIsBack()
  expect([await accessibilityFaults(page), page.complaints]).toEqual([[], []])
})
