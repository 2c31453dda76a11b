import { beforeAll, expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { blocks } from '#contracts/templates/parts.ts'
import { templates } from '#contracts/templates/templates.ts'
import type { Person } from '#server/testing/app.ts'
import { untilPasses } from '#server/testing/until.ts'
import { accessibilityFaults, openPage, sidewaysScroll } from '../../support/browser.ts'
import { browser } from '../../support/chromium.ts'
import { openEditor } from '../../support/editor.ts'
import { t } from '../../support/product.ts'

let ada: Person
beforeAll(async () => {
  ada = await t.person({ name: 'Ada' })
})

const MJML = `<mjml>
  <mj-head>
    <mj-attributes><mj-text font-size="18px" /></mj-attributes>
  </mj-head>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text>For everybody</mj-text>
        <mj-text>Only in Lisbon</mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`
const editor = (mjml = MJML, options?: Parameters<typeof openEditor>[2]) =>
  openEditor(ada, { subject: 'News', mjml }, options)

test('editor: a conditional text is previewed and tested as a contact, and inserted elsewhere as a block', async () => {
  const list = await ada.api(lists.create, { body: { name: 'Readers' } })
  for (const [email, city] of [
    ['ann@example.com', 'Porto'],
    ['bob@example.com', 'Lisbon'],
  ])
    await ada.api(contacts.create, { body: { email: email ?? '', attributes: { city: city ?? '' }, lists: [list.id] } })
  const { page, email, source } = await editor()
  await email.getByText('Only in Lisbon').click()
  await page.getByLabel('Visibility').selectOption('If…')
  await page.getByLabel('Field', { exact: true }).selectOption('city')
  await page.getByLabel('Comparison').selectOption('is')
  await page.getByLabel('Value').fill('Lisbon')
  await untilPasses(async () =>
    expect(await source()).toContain(
      '<mj-raw>{% if attributes.city == "Lisbon" %}</mj-raw>\n        <mj-text>Only in Lisbon</mj-text>\n        <mj-raw>{% endif %}</mj-raw>',
    ),
  )
  // The frame of the condition is not shown in the email, and its element still is.
  await email.locator('.postlark-condition').getByText('Only in Lisbon').waitFor()
  expect(await email.locator('body').textContent()).not.toContain('{%')

  await email.getByText('Only in Lisbon').click()
  await page.getByRole('button', { name: 'Save as block' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('Lisbon only')
  await page.getByRole('dialog').getByRole('button', { name: 'Save block' }).click()
  await page.getByRole('button', { name: 'Lisbon only', exact: true }).waitFor()

  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await page.getByLabel('Preview as contacts of a list').selectOption('Readers')
  const shown = page.frameLocator('section[aria-label=Preview] iframe')
  await page.getByText('As no name (ann@example.com)').waitFor()
  await shown.getByText('For everybody').waitFor()
  expect(await shown.getByText('Only in Lisbon').count()).toBe(0)
  await page.getByRole('button', { name: 'Next contact' }).click()
  await shown.getByText('Only in Lisbon').waitFor()
  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByRole('button', { name: 'Send as bob@example.com' }).click()
  await page.getByText(`Sent to ${ada.email}, as bob@example.com reads it.`).waitFor()
  expect((await t.sink.mailTo(ada.email)).text).toContain('Only in Lisbon')
  expect(page.complaints).toEqual([])

  const other = await editor('<mjml><mj-body><mj-section><mj-column></mj-column></mj-section></mj-body></mjml>')
  await other.page.getByRole('button', { name: 'Lisbon only', exact: true }).click()
  await other.email.getByText('Only in Lisbon').waitFor()
  await untilPasses(async () =>
    expect(await other.source()).toMatch(/attributes\.city == "Lisbon"[\s\S]*<mj-text font-size="18px">Only in Lisbon/),
  )
  await other.page.getByRole('button', { name: 'Actions for Lisbon only' }).click()
  await other.page.getByRole('menuitem', { name: 'Rename' }).click()
  await other.page.getByRole('dialog').getByLabel('Name').fill('For Lisbon')
  await other.page.getByRole('button', { name: 'Save changes' }).click()
  await other.page.getByRole('button', { name: 'Actions for For Lisbon' }).click()
  await other.page.getByRole('menuitem', { name: 'Remove block' }).click()
  await other.page.getByRole('button', { name: 'Remove block' }).click()
  await untilPasses(async () => expect((await ada.api(blocks.list)).items).toEqual([]))
  expect(await other.source()).toContain('Only in Lisbon')
  expect(other.page.complaints).toEqual([])
})

test('editor: the colors and fonts of a brand are offered in the editor', async () => {
  const { page, email, source } = await editor()
  await email.getByText('For everybody').click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Brand' }).click()
  const dialog = page.getByRole('dialog', { name: 'Brand' })
  await dialog.getByRole('button', { name: 'Add color' }).click()
  await dialog.getByLabel('Main color', { exact: true }).fill('#0b6b86')
  await dialog.getByLabel('Text font').selectOption('Other')
  await dialog.getByLabel('Text font: names').fill('Lato, Arial')
  expect(await accessibilityFaults(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('button', { name: 'Text color: #0b6b86' }).click()
  await page.getByLabel(/^Font/).selectOption('Lato')
  await page.getByRole('button', { name: 'Button', exact: true }).click()
  await untilPasses(async () =>
    expect(await source()).toMatch(/<mj-button [^>]*background-color="#0b6b86" color="#ffffff"/),
  )
  const text = /<mj-text [^>]*>For everybody/.exec(await source())?.[0]
  for (const look of ['color="#0b6b86"', 'font-family="Lato, Arial"']) expect(text).toContain(look)
  expect(page.complaints).toEqual([])
})

test('editor: the fields of a condition have no accessibility faults on a tablet in the dark theme', async () => {
  const { page, email } = await editor(MJML, { viewport: { width: 820, height: 1100 }, colorScheme: 'dark' })
  await email.getByText('Only in Lisbon').click()
  await page.getByLabel('Visibility').selectOption('If…')
  await page.getByLabel('Comparison').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)
})

/** What is wrong with an email as it is drawn, in readable lines. Runs in the page. */
function findFaults(): string[] {
  const faults: string[] = []
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`${document.documentElement.scrollWidth} px wide`)
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const box = element.getBoundingClientRect()
    const text = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
    if (!text || box.width === 0 || getComputedStyle(element).display === 'none') continue
    const words = element.textContent.trim().slice(0, 30)
    const size = Number.parseFloat(getComputedStyle(element).fontSize)
    if (size > 1 && size < 11) faults.push(`"${words}" is ${size} px high`)
    if (box.left < -1 || box.right > innerWidth + 1) faults.push(`"${words}" reaches beyond the edge`)
  }
  for (const link of document.querySelectorAll('a')) {
    const { height } = link.getBoundingClientRect()
    if (link.style.padding && height < 34) faults.push(`the button "${link.textContent.trim()}" is ${height} px high`)
  }
  return faults
}

test('starter templates: each one fits and is readable at 375 and 640 px', async () => {
  const { items } = await ada.api(templates.starters)
  expect(items.length).toBeGreaterThanOrEqual(12)
  const page = await openPage(browser, t.address)
  for (const { id } of items) {
    const made = await ada.api(templates.create, { body: { name: id, starter: id } })
    const { html } = await ada.api(templates.preview, { params: { id: made.id }, body: {} })
    await page.setContent(html)
    for (const width of [375, 640]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await page.evaluate(findFaults), `${id} at ${width} px`).toEqual([])
    }
  }
})
