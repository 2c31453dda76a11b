import { templates } from '#contracts/templates/templates.ts'
import type { Person } from '#server/testing/app.ts'
import { openPage } from './browser.ts'
import { browser } from './chromium.ts'
import { t } from './product.ts'

/** Opens the email editor on a new template of a person; `stored` and `source` return what the server has saved of it. */
export async function openEditor(
  person: Person,
  content: { subject: string; mjml: string },
  options: Parameters<typeof openPage>[2] = {},
) {
  const { id } = await person.api(templates.create, { body: { name: 'Email', ...content } })
  const page = await openPage(browser, t.address, { token: person.token, ...options })
  await page.goto(`/editor/${id}`)
  const email = page.frameLocator('iframe[title="Email"]')
  const saved = () => page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
  const stored = () => person.api(templates.get, { params: { id } })
  const source = async () => (await stored()).mjml
  return { id, page, email, saved, stored, source }
}
