import { beforeAll, expect, test } from 'vitest'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { templates } from '#contracts/templates/templates.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { watchEventLoop } from '#server/testing/processor-time.ts'
import { healthDuring } from '#server/testing/until.ts'

let t: TestApp
let ada: Person
let eve: Person
beforeAll(async () => {
  t = await sharedApp()
  ada = await t.person({ name: 'Ada' })
  eve = await t.person({ name: 'Eve' })
})

const write = (html: string, subject = 'Hello') => ada.api(templates.create, { body: { name: 'Test', subject, html } })

async function savedContact(
  workspaceId: string,
  email: string,
  attributes: Record<string, string> = {},
): Promise<string> {
  const row = await t.services.db
    .insertInto('contacts')
    .values({ workspaceId, email, emailKey: email, name: 'Grace <Hopper>', attributes: JSON.stringify(attributes) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

test('template: it is created, read, listed, changed and removed', async () => {
  const made = await ada.api(templates.create, {
    body: { name: 'Spring', subject: 'Hi {{ name }}', html: '<p>Hello {{ name }}</p>' },
  })
  expect(made).toMatchObject({ name: 'Spring', channel: 'email', mjml: '' })
  const changed = await ada.api(templates.update, { params: { id: made.id }, body: { name: 'Summer' } })
  expect(changed).toMatchObject({
    id: made.id,
    name: 'Summer',
    html: '<p>Hello {{ name }}</p>',
    subject: 'Hi {{ name }}',
  })
  expect(await ada.api(templates.get, { params: { id: made.id } })).toEqual(changed)
  const { items } = await ada.api(templates.list, { query: {} })
  expect(items.find(({ id }) => id === made.id)).toMatchObject({ name: 'Summer' })
  expect(items[0]).not.toHaveProperty('html')
  await ada.api(templates.remove, { params: { id: made.id } })
  await expect(ada.api(templates.get, { params: { id: made.id } })).rejects.toMatchObject({ status: 404 })
})

test('template: the list pages newest first without gaps', async () => {
  const person = await t.person()
  for (let i = 0; i < 5; i++) await person.api(templates.create, { body: { name: `T${i}` } })
  const names: string[] = []
  let cursor: string | undefined
  do {
    const page = await person.api(templates.list, { query: { limit: 2, ...(cursor && { cursor }) } })
    expect(page.total).toBe(5)
    names.push(...page.items.map(({ name }) => name))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect(names).toEqual(['T4', 'T3', 'T2', 'T1', 'T0'])
  await expect(person.api(templates.list, { query: { cursor: 'x' } })).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'cursor' }],
  })
})

test('template: a template of another workspace responds with 404', async () => {
  const { id } = await write('<p>secret</p>')
  for (const call of [
    () => eve.api(templates.get, { params: { id } }),
    () => eve.api(templates.update, { params: { id }, body: { name: 'mine' } }),
    () => eve.api(templates.remove, { params: { id } }),
    () => eve.api(templates.preview, { params: { id }, body: {} }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404, code: 'not_found' })
  expect((await ada.api(templates.get, { params: { id } })).name).toBe('Test')
})

test('template: unknown fields and broken Liquid are reported with their line, and the text is saved', async () => {
  const unknown = await write('<p>Hi</p>\n<p>{{ first_nam }}</p>\n<a href="{{ unsubscribe_url }}">Leave</a>')
  expect(unknown.problems).toEqual([
    expect.objectContaining({
      severity: 'error',
      code: 'unknown_field',
      line: 2,
      message: expect.stringContaining('first_nam'),
    }),
  ])
  const broken = await write('<p>Hi</p>\n\n<p>{{ name | }</p>')
  expect(broken.html).toContain('{{ name | }')
  expect(broken.problems[0]).toMatchObject({ severity: 'error', code: 'html_syntax', line: 3 })
  expect((await ada.api(templates.get, { params: { id: broken.id } })).problems).toEqual(broken.problems)
  const inSubject = await write('<p>Hi {{ unsubscribe_url }}</p>', 'Hi {{ nam }}')
  expect(inSubject.problems).toEqual([
    expect.objectContaining({ code: 'unknown_field', message: expect.stringContaining('Subject: ') }),
  ])
})

test('template: include and endless or nested loops are reported as errors', async () => {
  const include = await write('<p>x</p>\n{% include "/etc/passwd" %}')
  expect(include.problems[0]).toMatchObject({ severity: 'error', code: 'include', line: 2 })
  const endless = await write(
    '<p>x</p>\n{% for i in (1..1000000) %}{% for j in (1..1000000) %}x{% endfor %}{% endfor %}',
  )
  expect(endless.problems[0]).toMatchObject({ severity: 'error', code: 'too_much_work', line: 2 })
  expect((await ada.api(templates.preview, { params: { id: endless.id }, body: {} })).html).toBe('')
})

test('template: HTML that is too costly is stopped, and the server responds meanwhile', async () => {
  const nested = `<style>div div p{color:red}</style>${'<div>'.repeat(90_000)}x${'</div>'.repeat(90_000)}`
  const slow = write(nested)
  const stopWatching = watchEventLoop()
  expect(await healthDuring(t.address, slow)).toBeGreaterThan(3)
  expect(stopWatching()).toBeLessThan(1_000)
  const saved = await slow
  expect(saved.html).toBe(nested)
  expect(saved.problems).toContainEqual(expect.objectContaining({ severity: 'error', code: 'too_much_work' }))
  expect((await write('<p>{{ name }}</p>')).problems.every(({ severity }) => severity === 'warning')).toBe(true)
})

test('template: broken HTML is rendered, and every weakness is a warning', async () => {
  const messy = await write('<p>unclosed <b>bold <img src="https://example.com/a.png"> <table><tr><td>cell')
  expect(messy.problems.map(({ code }) => code)).toEqual(expect.arrayContaining(['image_alt', 'no_unsubscribe']))
  expect(messy.problems.every(({ severity }) => severity === 'warning')).toBe(true)
  expect((await ada.api(templates.preview, { params: { id: messy.id }, body: {} })).html).toContain('cell')
  const long = await write(`<p>${'word '.repeat(25_000)}</p>`)
  expect(long.problems.map(({ code }) => code)).toContain('too_long')
})

test('template: a preview has the escaped fields of a contact and the footer of the workspace', async () => {
  await t.services.db
    .updateTable('workspaces')
    .set({ company: 'Engine Works', postalAddress: '1 Mill Lane\nYork' })
    .where('id', '=', ada.workspaceId)
    .execute()
  const { id } = await write(
    '<p>Dear {{ name }} of {{ attributes.company | default: "somewhere" }}</p>',
    'For {{ name }}',
  )
  const contactId = await savedContact(ada.workspaceId, 'grace@example.com', { company: 'Navy' })
  const preview = await ada.api(templates.preview, { params: { id }, body: { contactId } })
  expect(preview.subject).toBe('For Grace <Hopper>')
  expect(preview.html).toContain('Dear Grace &lt;Hopper&gt; of Navy')
  expect(preview.html).toContain('1 Mill Lane')
  expect(preview.text).toContain('Dear Grace <Hopper> of Navy')
  expect((await ada.api(templates.preview, { params: { id }, body: {} })).html).toContain('Robin Example')
})

test('template: a preview for a contact of another workspace or an unknown contact is refused', async () => {
  const { id } = await write('<p>{{ email }}</p>')
  const foreign = await savedContact(eve.workspaceId, 'private@example.com')
  for (const contactId of [foreign, '999999999']) {
    await expect(ada.api(templates.preview, { params: { id }, body: { contactId } })).rejects.toMatchObject({
      status: 400,
      message: 'Contact ID does not exist in this workspace.',
    })
  }
})

test('template: MJML sent as HTML is stored as MJML, and HTML beside MJML gives a warning', async () => {
  const mjml =
    '<mjml><mj-body><mj-section><mj-column><mj-text>Hi {{ unsubscribe_url }}</mj-text></mj-column></mj-section></mj-body></mjml>'
  const made = await write(mjml)
  expect(made).toMatchObject({ html: '', mjml, problems: [] })
  const both = await ada.api(templates.update, { params: { id: made.id }, body: { html: '<p>old</p>' } })
  expect(both).toMatchObject({ html: '<p>old</p>', mjml, problems: [{ severity: 'warning', code: 'html_unused' }] })
})

test('template: a draft is previewed without being saved', async () => {
  const before = (await ada.api(templates.list, { query: {} })).total
  const mjml =
    '<mjml><mj-body><mj-section><mj-column><mj-text>Hi {{ name }}</mj-text></mj-column></mj-section></mj-body></mjml>'
  const preview = await ada.api(templates.draftPreview, { body: { subject: '', mjml } })
  expect(preview.html).toContain('Hi Robin Example')
  expect(preview.problems.filter(({ severity }) => severity === 'error')).toEqual([])
  expect((await ada.api(templates.draftPreview, { body: { html: '{% if %}' } })).problems[0]).toMatchObject({
    severity: 'error',
    line: 1,
  })
  expect((await ada.api(templates.list, { query: {} })).total).toBe(before)
})

test('template: one used by a scheduled campaign cannot be removed', async () => {
  const { id } = await write('<p>later</p>')
  const campaign = { workspaceId: ada.workspaceId, name: 'Later', state: 'scheduled', templateId: id }
  await t.services.db.insertInto('campaigns').values(campaign).execute()
  await expect(ada.api(templates.remove, { params: { id } })).rejects.toMatchObject({
    status: 409,
    code: 'template_in_use',
  })
})

test('template: every starter template has sample text as its only error, renders and stays below the size Gmail cuts', async () => {
  const { items } = await t.api(templates.starters)
  expect(items.length).toBeGreaterThanOrEqual(12)
  for (const { name, subject, html, mjml } of items) {
    const made = await ada.api(templates.create, { body: { name, subject, html, mjml } })
    // Where its links lead is for the person who takes it to say.
    expect(
      made.problems.map(({ code }) => code).filter((code) => code !== 'placeholder'),
      name,
    ).toEqual(['sample_text', 'no_unsubscribe'])
    expect(subject).toBe('')
    const preview = await ada.api(templates.preview, { params: { id: made.id }, body: {} })
    expect(Buffer.byteLength(preview.html)).toBeLessThan(60_000)
    expect(preview.text).not.toContain('{{')
    // Without a link of their own, the footer with the postal address is added.
    expect(preview.html).toContain('/u/preview')
    expect(preview.text.length).toBeGreaterThan(300)
  }
})

test('template: sample text of a starter stops a campaign, and brackets of the author do not', async () => {
  const html = '<p>[Your headline]</p><p>[Your company] writes to you</p><p>Bring your own [cup].</p>'
  const found = async (source: string) => {
    const { id, problems } = await write(source)
    const campaign = await ada.api(campaigns.create, { body: { name: 'News', channel: 'email', templateId: id } })
    const check = await ada.api(campaigns.check, { params: { id: campaign.id } })
    return [problems, check.problems].map((list) => list.filter(({ code }) => code === 'sample_text'))
  }
  const message = 'This template still contains sample text: “[Your headline]” and 1 more.'
  const [ofTemplate] = await found(html)
  expect(ofTemplate).toEqual([{ severity: 'error', code: 'sample_text', message, line: 1 }])
  expect(await found('<p>Bring your own [cup] and [Your Headline].</p>')).toEqual([[], []])
})

test('template: an image and a button without an address have one finding each, which stops sending', async () => {
  const mjml = `<mjml><mj-body><mj-section><mj-column>
    <mj-text>A message that is long enough to be an email of words, and not an image alone with nothing to read.</mj-text>
    <mj-image src="" />
    <mj-button href="https://">Shop now</mj-button>
  </mj-column></mj-section></mj-body></mjml>`
  const { problems } = await ada.api(templates.create, { body: { name: 'Bare', subject: 'Hi', mjml } })
  expect(problems.filter(({ code }) => code !== 'no_unsubscribe')).toEqual([
    expect.objectContaining({ severity: 'error', code: 'image', line: 3 }),
    expect.objectContaining({ severity: 'error', code: 'link', line: 4 }),
  ])
})
