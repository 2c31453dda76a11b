import { expect, test } from 'vitest'
import { templates } from '#contracts/templates/templates.ts'
import { accessibilityFaults, openPage } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { t } from '../../support/product.ts'

test('editor: a visitor edits a starter template without an account, and signing up saves the work', async () => {
  const page = await openPage(browser, t.address)
  const posted: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posted.push(new URL(request.url()).pathname))
  await page.goto('/editor/newsletter')
  const email = page.frameLocator('iframe[title="Email"]')
  await email.getByText('[Your headline]').dblclick()
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Spring is here')
  await page.getByRole('button', { name: 'Done editing text' }).click()
  expect(await accessibilityFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.waitForURL('**/signup')
  expect(new Set(posted)).toEqual(new Set(['/api/starter-templates/canvas', '/api/starter-templates/preview']))
  // An account that exists takes the work as well.
  const eve = await t.person()
  await page.evaluate((token) => localStorage.setItem('token', token), eve.token)
  await page.goto('/editor/newsletter?save=1')
  await page.waitForURL(/\/editor\/\d+$/)
  const { items } = await eve.api(templates.list, { query: {} })
  const made = await eve.api(templates.get, { params: { id: items[0]?.id ?? '' } })
  expect(made.mjml).toContain('Spring is here')
  expect(page.complaints).toEqual([])
})

test('editor: a private template asks a visitor to log in on its page, and a foreign one is not found', async () => {
  const ada = await t.person({ name: 'Ada' })
  const { id } = await ada.api(templates.create, { body: { name: 'Private', html: '<p>Secret plan</p>' } })
  const page = await openPage(browser, t.address)
  const response = await page.goto(`/editor/${id}`)
  expect(response?.status()).toBe(200)
  await page.getByText('Log in to edit this template').waitFor()
  expect(new URL(page.url()).pathname).toBe(`/editor/${id}`)
  const eve = await t.person()
  await page.evaluate((token) => localStorage.setItem('token', token), eve.token)
  await page.reload()
  await page.getByText('Template not found').waitFor()
})
