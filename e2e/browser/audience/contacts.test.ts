import { expect, test } from 'vitest'
import { accounts } from '#contracts/accounts/accounts.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { segments } from '#contracts/contacts/segments.ts'
import { accessibilityFaults, openPage, sidewaysScroll } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'

test('audience: a used field gets another label, a domain is suppressed, and a contact changes its preferences', async () => {
  const ada = await t.person()
  await ada.api(accounts.update, { body: { company: 'Lark', postalAddress: '1 Nest Road' } })
  const list = await ada.api(lists.create, { body: { name: 'News', isPublic: true, description: 'Once a month' } })
  const pia = { email: 'pia@audience.example', lists: [list.id], attributes: { city: 'Bonn' } }
  const { id } = await ada.api(contacts.create, { body: pia })
  const filter = { op: 'and' as const, items: [{ field: 'attributes.city', is: 'equal', value: 'Bonn' }] }
  await ada.api(segments.create, { body: { name: 'In Bonn', filter } })
  const draft = { name: 'Spring', subject: 'Spring', html: '<p>Hello</p>', listIds: [list.id] }
  const campaign = await ada.api(campaigns.create, { body: draft })
  await ada.api(campaigns.send, { params: { id: campaign.id }, body: {} })

  const page = await openPage(browser, t.address, { token: ada.token })
  await page.goto('/contacts/fields')
  await page.getByRole('button', { name: 'Actions for city' }).click()
  await page.getByRole('menuitem', { name: 'Edit field' }).click()
  await page.getByLabel('Name', { exact: true }).fill('town')
  await page.getByRole('link', { name: 'In Bonn' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('city')
  await page.getByLabel('Label').fill('Home town')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Field saved').waitFor()
  await page.goto('/contacts/suppressions')
  await page.getByRole('button', { name: 'Add address' }).first().click()
  await page.getByLabel('Email address, phone number or domain').fill('blocked.example')
  await page.getByRole('dialog').getByRole('button', { name: 'Add suppression' }).click()
  await page.getByText('@blocked.example').first().waitFor()

  const mail = await t.sink.mailTo(pia.email)
  const visitor = await openPage(browser, t.address, { viewport: { width: 375, height: 800 }, colorScheme: 'dark' })
  await visitor.goto(/\/p\/[\w.-]+/.exec(`${mail.html} ${mail.text}`)?.[0] ?? '')
  await visitor.getByText('Once a month').waitFor()
  await visitor.getByLabel('At most one email a week').check()
  await visitor.getByRole('button', { name: 'Save changes' }).click()
  await visitor.getByText('Your changes are saved.').waitFor()
  await visitor.getByText('Why did I get this email?').click()
  await visitor.getByText('1 Nest Road').waitFor()
  expect([await accessibilityFaults(visitor), await sidewaysScroll(visitor)]).toEqual([[], 0])

  await page.goto(`/contacts/${id}`)
  await page.getByText('Chose at most one email a week').waitFor()
  await page.getByText('Receives campaigns, at most one email a week.').waitFor()
  await page.getByText('Home town').waitFor()
  await page.getByText('Email: Sent').waitFor()
  expect([await accessibilityFaults(page), await sidewaysScroll(page)]).toEqual([[], 0])
  expect([...page.complaints, ...visitor.complaints]).toEqual([])
})

test('audience: a list and a tag are made, a double opt-in list is filled from a file, contacts are merged, suppressions imported', async () => {
  const ada = await t.person()
  const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  const page = await openPage(browser, t.address, { token: ada.token })
  const dialog = page.getByRole('dialog')
  await page.goto('/contacts/tags')
  await page.getByRole('button', { name: 'Create tag' }).first().click()
  await dialog.getByLabel('Name', { exact: true }).fill('VIP')
  await dialog.getByRole('button', { name: 'Create tag' }).click()
  await page.getByText('Tag VIP created').waitFor()
  await page.goto('/contacts/lists')
  await page.getByRole('button', { name: 'Create list' }).first().click()
  await dialog.getByLabel('Name', { exact: true }).fill('Readers')
  await dialog.getByText('Double opt-in', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Create list' }).click()
  await page.getByRole('link', { name: 'Readers' }).waitFor()
  await page.getByRole('button', { name: 'Create list' }).first().click()
  await dialog.getByLabel('Name', { exact: true }).fill('readers')
  await dialog.getByText('You already have a list with this name.').waitFor()
  await page.keyboard.press('Escape')

  await page.goto('/contacts/import')
  await page.locator('input[type=file]').setInputFiles(file('readers.csv', 'email,name'))
  await page.getByText('The file has column names and no rows below them. No contacts were imported.').waitFor()
  await page
    .locator('input[type=file]')
    .setInputFiles(file('readers.csv', 'email,name\nmia@merge.example,Mia\nm@merge.example,Mia M.'))
  await page.getByText('You already have a list with this name.').waitFor()
  await page.getByLabel('Add to list').selectOption({ label: 'Readers' })
  await page.getByText('Everyone gets a confirmation email at the pace of your sender').waitFor()
  await page.getByText('These people already agreed', { exact: true }).click()
  await page.getByLabel('How did they agree?').fill('On paper at the fair.')
  await page.getByRole('button', { name: 'Import contacts' }).click()
  await page.getByText(/^Import complete: 2 added/).waitFor()

  const { items } = await ada.api(contacts.list, { query: { q: 'mia@merge.example' } })
  await page.goto(`/contacts/${items[0]?.id}`)
  await page.getByText('On paper at the fair.').waitFor()
  await page.getByRole('button', { name: 'Actions for this contact' }).click()
  await page.getByRole('menuitem', { name: 'Merge with another contact' }).click()
  await dialog.getByLabel('Contact to merge with Mia').fill('m@merge')
  await dialog.getByRole('button', { name: /Mia M\./ }).click()
  await dialog.getByText('Values that are struck out go.').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Merge contacts' }).click()
  await page.getByText('Contacts merged').waitFor()

  await page.goto('/contacts/suppressions')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Import suppressions' }).click()
  await dialog.locator('input[type=file]').setInputFiles(file('out.csv', 'email\ngone@merge.example\nnot an address'))
  await dialog.getByRole('button', { name: 'Import suppressions' }).click()
  await dialog.getByRole('group', { name: 'Rows with reasons' }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await page.getByText('gone@merge.example').waitFor()
  expect(page.complaints).toEqual([])
})
