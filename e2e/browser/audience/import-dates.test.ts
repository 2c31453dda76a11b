import { expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { fields } from '#contracts/contacts/fields.ts'
import { accessibilityFaults, openPage, sidewaysScroll } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'

test('import dates: a format is guessed or asked for, and rows without a readable date are listed', async () => {
  const ada = await t.person()
  for (const name of ['renewal', 'joined'])
    await ada.api(fields.create, { body: { name, label: name, type: 'date', choices: [] } })
  const page = await openPage(browser, t.address, { token: ada.token, viewport: { width: 375, height: 800 } })
  await page.goto('/contacts/import')
  const rows = ['email,renewal,joined', 'a@dates.example,31/12/2026,05/06/2025', 'b@dates.example,soon,07/08/2025']
  const file = { name: 'dates.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) }
  await page.locator('input[type=file]').setInputFiles(file)
  const joined = page.getByLabel('Date format of joined')
  await joined.waitFor()
  expect(await page.getByLabel('Date format of renewal').inputValue()).toBe('day_first')
  expect(await joined.inputValue()).toBe('')
  await page.getByRole('button', { name: 'Import contacts' }).click()
  await page.getByText('Choose the date format of “joined”.').waitFor()
  await joined.selectOption('MM/DD/YYYY')
  await page.getByLabel('Field for renewal').selectOption('Don’t import')
  await page.getByLabel('Date format of renewal').waitFor({ state: 'detached' })
  await page.getByLabel('Field for renewal').selectOption('Custom field')
  await page.getByRole('button', { name: 'Import contacts' }).click()
  await page.getByText('Import complete: 2 added').waitFor()
  await page.getByText('1 date could not be read. The contact was imported without it.').waitFor()
  await page.getByText('Soon in renewal is not a date: the contact was imported without it').waitFor()
  expect([await accessibilityFaults(page), await sidewaysScroll(page), page.complaints]).toEqual([[], 0, []])
  const stored = (await ada.api(contacts.list, { query: {} })).items.map(({ attributes }) => attributes)
  expect(stored).toContainEqual({ renewal: '2026-12-31', joined: '2025-05-06' })
})
