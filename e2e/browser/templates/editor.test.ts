import { beforeAll, expect, test } from 'vitest'
import { templates } from '#contracts/templates/templates.ts'
import { noise } from '#server/features/blog/testing.ts'
import type { Person } from '#server/testing/app.ts'
import { until, untilPasses } from '#server/testing/until.ts'
import { accessibilityFaults, sidewaysScroll } from '../../support/browser.ts'
import { openEditor } from '../../support/editor.ts'
import { t } from '../../support/product.ts'

let ada: Person
beforeAll(async () => {
  ada = await t.person({ name: 'Ada' })
})

const MJML = `<mjml>
  <!-- a comment that stays -->
  <mj-head>
    <mj-attributes><mj-text font-size="18px" /></mj-attributes>
  </mj-head>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text>First paragraph for {{ name | default: "you" }}</mj-text>
        <mj-text>Second paragraph</mj-text>
        <mj-table><tr><td>A cell</td></tr></mj-table>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`
const editor = (mjml = MJML, options?: Parameters<typeof openEditor>[2]) =>
  openEditor(ada, { subject: 'News for {{ name }}', mjml }, options)

test('editor: by mouse, a text is edited and a button is dragged in, and the test email contains both', async () => {
  const { id, page, email, saved, stored } = await editor()
  await email.getByText('Second paragraph').dblclick()
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Written in place & kept')
  await page.getByRole('button', { name: 'Insert variable' }).click()
  await page.getByRole('menuitem', { name: 'Email address' }).click()
  await page.getByRole('button', { name: 'Done editing text' }).click()
  await page.getByRole('button', { name: 'Button', exact: true }).dragTo(email.getByText('First paragraph'))
  await email.getByText('Call to action').click()
  await page.getByLabel('Link', { exact: true }).fill('https://shop.test/spring')
  await page.getByLabel('Label', { exact: true }).fill('See the spring')
  await email.getByText('See the spring').waitFor()
  await saved()
  await untilPasses(async () => expect((await stored()).mjml).toContain('See the spring'))
  const { mjml } = await stored()
  expect(mjml).toContain('<mj-text>Written in place &amp; kept{{ email }}</mj-text>')
  expect(mjml).toContain('<mj-text>First paragraph for {{ name | default: "you" }}</mj-text>')
  expect(mjml).toContain('<!-- a comment that stays -->')
  expect(mjml).toContain('<mj-table><tr><td>A cell</td></tr></mj-table>')
  expect(mjml).toMatch(/<mj-button href="https:\/\/shop\.test\/spring"[^>]*>See the spring<\/mj-button>/)

  await page.getByRole('button', { name: 'Send test' }).click()
  await page.getByRole('button', { name: 'Send with sample data' }).click()
  await page.getByText(`Sent to ${ada.email}.`).waitFor()
  const mail = await t.sink.mailTo(ada.email)
  expect(mail.subject).toBe('[Test] News for Robin Example')
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain('First paragraph for Robin Example')
    expect(part).toContain('See the spring')
    expect(part).toContain('A cell')
  }
  expect(mail.text).toContain(`Written in place & kept${ada.email}`)
  expect(mail.html).toContain('https://shop.test/spring')
  expect((await ada.api(templates.preview, { params: { id }, body: {} })).html).toContain('See the spring')
  expect(page.complaints).toEqual([])
})

test('editor: by keyboard, elements are added, moved and deleted, and each step can be undone', async () => {
  const { page, saved, stored } = await editor()
  const structure = page.getByRole('region', { name: 'Email structure' })
  await structure.getByRole('button', { name: 'Text: Second paragraph' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Alt+ArrowUp')
  const order = async () => {
    await saved()
    const { mjml } = await stored()
    return mjml.indexOf('Second') < mjml.indexOf('First')
  }
  await until(order, 'the second text before the first')
  await page.getByRole('button', { name: 'Divider', exact: true }).focus()
  await page.keyboard.press('Enter')
  await untilPasses(async () => expect((await stored()).mjml.match(/mj-divider/g)?.length).toBe(1))
  await page.keyboard.press('Delete')
  await untilPasses(async () => expect((await stored()).mjml.match(/mj-divider/g)?.length).toBe(undefined))
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await untilPasses(async () => expect((await stored()).mjml).toBe(MJML))
})

test('editor: a preview text stays after later changes in the email and in its code', async () => {
  const { page, email, source } = await editor()
  await email.getByText('Second paragraph').waitFor()
  await page.getByRole('button', { name: 'Subject and preview text' }).click()
  await page.getByLabel('Preview text', { exact: true }).fill('Three offers')
  // The email is drawn anew with its preheader; what is pressed while it is, is not taken for something else.
  const remove = page.getByRole('button', { name: 'Delete' }).first()
  await untilPasses(async () => {
    await email.getByText('Second paragraph').click()
    expect(await remove.isVisible()).toBe(true)
  })
  await remove.click()
  await untilPasses(async () => expect(await source()).toSatisfy((mjml) => !mjml.includes('Second paragraph')))
  expect(await source()).toContain('<mj-preview>Three offers</mj-preview>')
  await page.getByRole('button', { name: /^Code/ }).click()
  await page.getByLabel('Preview text', { exact: true }).fill('Four offers')
  await page.locator('.cm-content').click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('<!-- the end -->')
  await untilPasses(async () => expect(await source()).toContain('<!-- the end -->'))
  expect(await source()).toContain('<mj-preview>Four offers</mj-preview>')
  expect(page.complaints).toEqual([])
})

test('editor: an uploaded image is inserted with its alt text', async () => {
  const { page, email, stored } = await editor()
  await email.getByText('Second paragraph').click()
  await page.getByRole('button', { name: 'Image', exact: true }).click()
  // The placeholder in the email opens the library.
  await email.getByAltText('Choose an image').click()
  const dialog = page.getByRole('dialog', { name: 'Images' })
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'cat.png', mimeType: 'image/png', buffer: await noise(60, 40) })
  await dialog.getByLabel('Alt text').fill('A cat asleep')
  await dialog.getByRole('button', { name: 'Insert image' }).click()
  await email.getByAltText('A cat asleep').waitFor()
  await untilPasses(async () =>
    expect((await stored()).mjml).toMatch(/<mj-image src="http[^"]+\/media\/[^"]+" alt="A cat asleep" \/>/),
  )
})

test('editor: an edit in a second tab causes a warning, and neither version is lost', async () => {
  const { id, page, email, saved, stored } = await editor()
  await email.getByText('Second paragraph').waitFor()
  const mine = await stored()
  await ada.api(templates.update, { params: { id }, body: { subject: 'From the other tab', version: mine.version } })
  await page.getByRole('button', { name: 'Subject and preview text' }).click()
  await page.getByLabel('Subject', { exact: true }).fill('From this tab')
  await page.getByText('This template was changed in another tab or by a colleague').waitFor()
  expect((await stored()).subject).toBe('From the other tab')
  await page.getByRole('button', { name: 'Keep my version' }).click()
  await saved()
  await untilPasses(async () => expect((await stored()).subject).toBe('From this tab'))
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Versions' }).click()
  await page.getByText('From the other tab').waitFor()
  await page
    .getByRole('button', { name: /^Rename the version/ })
    .first()
    .click()
  await page.getByLabel('Version name').fill('Before the sale')
  await page.keyboard.press('Enter')
  await page.getByText('Before the sale').waitFor()
  await page.getByRole('button', { name: 'Restore' }).first().click()
  await untilPasses(async () => expect((await stored()).subject).toBe('From the other tab'))
})

test('editor: an author who uses the version of the other tab continues from it', async () => {
  const { id, page, email, stored } = await editor()
  await email.getByText('Second paragraph').waitFor()
  const mine = await stored()
  await ada.api(templates.update, { params: { id }, body: { subject: 'From the other tab', version: mine.version } })
  await page.getByRole('button', { name: 'Subject and preview text' }).click()
  await page.getByLabel('Subject', { exact: true }).fill('From this tab')
  await page.getByRole('button', { name: 'Use their version' }).click()
  await page.getByRole('button', { name: /^Subject and preview text.*From the other tab/, expanded: false }).click()
  expect((await stored()).subject).toBe('From the other tab')
  await page.getByLabel('Subject', { exact: true }).fill('From this tab, again')
  await untilPasses(async () => expect((await stored()).subject).toBe('From this tab, again'))
})

test('editor: text pasted from Word keeps its formatting, and a text of five megabytes is refused', async () => {
  const mjml = MJML.replace('Second paragraph', 'Second paragraph with <a href="https://shop.test/">a link</a>')
  const { page, email, saved, stored } = await editor(mjml)
  await email.getByText('Second paragraph').dblclick()
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  const paste = (text: string, html: string) =>
    page.evaluate(
      ([text = '', html = '']) => {
        const frame = document.querySelector<HTMLIFrameElement>('iframe[title="Email"]')
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', text)
        clipboardData.setData('text/html', html)
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
        frame?.contentDocument?.querySelector('[contenteditable=true]')?.dispatchEvent(event)
      },
      [text, html],
    )
  const dress = '<style>p.MsoNormal{mso-style-name:Normal}</style><!--[if gte mso 9]><xml></xml><![endif]-->'
  await paste(
    ' and more words',
    `<html>${dress}<body><p class=MsoNormal style='mso-line-height-rule:exactly'>Then <b>more</b><o:p></o:p> <a href="https://shop.test/more" onclick="x()">words</a><script>alert(1)</script></p></body></html>`,
  )
  const many = 'Words from a very long report. '.repeat(170_000)
  await paste(many, `<html>${dress}<p class=MsoNormal>${many}</p></html>`)
  await page.getByText('That text is too long for an email. Nothing was pasted.').waitFor()
  await page.keyboard.type(' Typed after it.')
  await page.getByRole('button', { name: 'Done editing text' }).click()
  await saved()
  await untilPasses(async () => expect((await stored()).mjml).toContain('Typed after it.'))
  const kept = (await stored()).mjml
  expect(kept).toContain('Second paragraph with <a href="https://shop.test/">a link')
  expect(kept).toMatch(/Then <b>more<\/b> ?<a href="https:\/\/shop\.test\/more">words/)
  expect(kept).not.toMatch(/mso|onclick|script|tabindex/i)
})

test('editor: an email with broken MJML shows the error, opens in the code and stays unchanged', async () => {
  const { page, stored } = await editor(MJML.replace('</mj-column>', ''))
  await page
    .getByText(/has no matching opening tag/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Fix in code' }).click()
  await page.locator('.cm-activeLine').waitFor()
  expect((await stored()).mjml).toBe(MJML.replace('</mj-column>', ''))
})

test('editor: properties are set with controls, text is formatted in place, and Done leads back', async () => {
  const { id, page, email, saved, source } = await editor(
    MJML.replace('<mj-text>Second', '<mj-text padding="28px 24px 20px">Second'),
  )
  await page.goto(`/editor/${id}?return=${encodeURIComponent('/my-templates?from=wizard')}&line=10`)
  await page.getByLabel('Padding: bottom').fill('32')
  await page.getByRole('button', { name: 'Text size: more' }).click()
  await page.getByRole('group', { name: 'Alignment' }).getByRole('button', { name: 'Center' }).click()
  await email.getByText('Second paragraph').dblclick()
  await page.getByRole('toolbar', { name: 'Formatting' }).waitFor()
  await page.keyboard.press('ControlOrMeta+a')
  await page.getByRole('button', { name: 'Underline' }).click()
  await page.getByRole('button', { name: 'Bulleted list' }).click()
  await page.getByRole('button', { name: 'Done editing text' }).click()
  await saved()
  await untilPasses(async () =>
    expect(await source()).toMatch(
      /<mj-text(?=[^>]* align="center")(?=[^>]* font-size="19px")[^>]* padding="28px 24px 32px"[^>]*><ul style="[^"]*padding: 0 0 0 24px[^"]*"><li[^>]*><u>Second paragraph<\/u><\/li><\/ul><\/mj-text>/,
    ),
  )
  const canvas = await page.getByRole('region', { name: 'Email', exact: true }).boundingBox()
  expect([canvas && canvas.y <= 110, canvas && canvas.width >= 680]).toEqual([true, true])
  await page.getByRole('button', { name: 'Done', exact: true }).click()
  await page.waitForURL('**/my-templates?from=wizard')
})

test.each([
  ['a wide screen', 1280],
  ['a phone', 375],
])('editor: it has no accessibility faults and no sideways scrolling on %s', async (_, width) => {
  const { page, email } = await editor(MJML, { viewport: { width, height: 800 } })
  await email.getByText('Second paragraph').click()
  // On a phone the settings of a block are in a sheet, and the actions in a menu.
  if (width <= 768) await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await page.getByLabel('Text size', { exact: true }).waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)
  if (width <= 768) await page.getByRole('button', { name: 'Close block settings' }).click()
  if (width <= 768) await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole(width > 768 ? 'button' : 'menuitem', { name: 'Preview', exact: true }).click()
  await page.getByText('Subject: ').waitFor()
  expect(await accessibilityFaults(page)).toEqual([])
  expect(await sidewaysScroll(page)).toBe(0)
  expect(page.complaints).toEqual([])
})
