import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { templates } from '#contracts/templates.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { decodeTemplate, NotText } from './decode.ts'

let t: TestApp
let ada: Person
let eve: Person
beforeAll(async () => {
  t = await testApp()
  ada = await t.person({ name: 'Ada' })
  eve = await t.person({ name: 'Eve' })
})
afterAll(() => t[Symbol.asyncDispose]())

function formOf(name: string, content: string | Uint8Array, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set('file', new Blob([content as BlobPart]), name)
  return form
}

/** Uploads as a browser does; JSON bodies are no part of a form. */
const upload = (name: string, content: string | Uint8Array, fields?: Record<string, string>) => ada.api(templates.create, { body: undefined as never, form: formOf(name, content, fields) })

const write = (html: string, subject = 'Hello') => ada.api(templates.create, { body: { name: 'Test', subject, html } })

async function savedContact(workspaceId: string, email: string, attributes: Record<string, string> = {}): Promise<string> {
  const row = await t.services.db
    .insertInto('contacts')
    .values({ workspaceId, email, emailKey: email, name: 'Grace <Hopper>', attributes: JSON.stringify(attributes) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

test('a template is made, read, listed, changed and removed', async () => {
  const made = await ada.api(templates.create, { body: { name: 'Spring', subject: 'Hi {{ name }}', html: '<p>Hello {{ name }}</p>' } })
  expect(made).toMatchObject({ name: 'Spring', channel: 'email', mjml: '' })
  const changed = await ada.api(templates.update, { params: { id: made.id }, body: { name: 'Summer' } })
  expect(changed).toMatchObject({ id: made.id, name: 'Summer', html: '<p>Hello {{ name }}</p>', subject: 'Hi {{ name }}' })
  expect(await ada.api(templates.get, { params: { id: made.id } })).toEqual(changed)
  const { items } = await ada.api(templates.list, { query: {} })
  expect(items.find(({ id }) => id === made.id)).toMatchObject({ name: 'Summer' })
  expect(items[0]).not.toHaveProperty('html')
  await ada.api(templates.remove, { params: { id: made.id } })
  await expect(ada.api(templates.get, { params: { id: made.id } })).rejects.toMatchObject({ status: 404 })
})

test('lists page by cursor, newest first, without gaps', async () => {
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
  await expect(person.api(templates.list, { query: { cursor: 'x' } })).rejects.toMatchObject({ status: 400, details: [{ field: 'cursor' }] })
})

test("another workspace's template is not there", async () => {
  const { id } = await write('<p>secret</p>')
  for (const call of [
    () => eve.api(templates.get, { params: { id } }),
    () => eve.api(templates.update, { params: { id }, body: { name: 'mine' } }),
    () => eve.api(templates.remove, { params: { id } }),
    () => eve.api(templates.preview, { params: { id }, body: {} }),
  ]) await expect(call()).rejects.toMatchObject({ status: 404, code: 'not_found' })
  expect((await ada.api(templates.get, { params: { id } })).name).toBe('Test')
})

test('an uploaded file is HTML or MJML by its content, and takes its name from its title or itself', async () => {
  expect(await upload('spring-letter.html', '<html><head><title>Spring &amp; more</title></head><body><p>x</p></body></html>')).toMatchObject({ name: 'Spring & more', mjml: '' })
  expect(await upload('C:\\mail\\plain.htm', '<p>no title</p>')).toMatchObject({ name: 'plain', html: '<p>no title</p>' })
  const mjml = '<!-- made by hand -->\n<mjml><mj-head><mj-title>From MJML</mj-title></mj-head><mj-body><mj-section><mj-column><mj-text>x</mj-text></mj-column></mj-section></mj-body></mjml>'
  expect(await upload('really-mjml.html', mjml)).toMatchObject({ name: 'From MJML', html: '', mjml })
  expect(await upload('really-html.mjml', '<p>html</p>', { name: 'Mine', subject: 'Hi' })).toMatchObject({ name: 'Mine', subject: 'Hi', html: '<p>html</p>', mjml: '' })
})

test.each([
  ['UTF-8', Buffer.from('<p>Grüße für 10 €</p>')],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeff<p>Grüße für 10 €</p>')],
  ['Windows-1252', Buffer.from('<p>Gr\xfc\xdfe f\xfcr 10 \x80</p>', 'latin1')],
  ['UTF-16 little-endian', Buffer.from('\ufeff<p>Grüße für 10 €</p>', 'utf16le')],
  ['UTF-16 big-endian', Buffer.from('\ufeff<p>Grüße für 10 €</p>', 'utf16le').swap16()],
])('umlauts and the euro sign survive a file in %s', async (_, bytes) => {
  expect((await upload('x.html', bytes)).html).toBe('<p>Grüße für 10 €</p>')
})

test('an encoding the file declares is honoured, and what it says of itself becomes true', async () => {
  const koi8 = Buffer.concat([Buffer.from('<meta charset="koi8-r"><p>'), Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]), Buffer.from('</p>')])
  expect((await upload('x.html', koi8)).html).toBe('<meta charset="utf-8"><p>Привет</p>')
})

test.each([
  ['empty', Buffer.from(''), 'x.html'],
  ['only spaces', Buffer.from(' \r\n '), 'x.html'],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), 'x.html'],
  ['an archive', Buffer.from('PK\x03\x04\x14\x00\x06\x00', 'latin1'), 'x.mjml'],
  ['text with NUL', Buffer.from('<p>a\u0000b</p>'), 'x.html'],
  ['wrongly declared', Buffer.from('<meta charset="utf-8"><p>Gr\xfc\xdfe</p>', 'latin1'), 'x.html'],
  ['damaged UTF-8', Buffer.concat([Buffer.from('<p>Grüße aus Österreich, schön'), Buffer.from([0xe2, 0x82]), Buffer.from('</p>')]), 'x.html'],
  ['no tags', Buffer.from('just words'), 'x.html'],
  ['another kind of file', Buffer.from('<p>x</p>'), 'x.docx'],
])('a file that is %s is refused and named', async (_, bytes, name) => {
  await expect(upload(name, bytes)).rejects.toMatchObject({ status: 400, details: [{ field: 'file' }] })
})

test('whatever bytes come, they are text or refused as a file', () => {
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 400 }), fc.string({ unit: 'binary' }).map((text) => Buffer.from(`<p>${text}`)), fc.string().map((text) => Buffer.from(`<meta charset="${text}"><p>\xfc`, 'latin1')))
  fc.assert(
    fc.property(bytes, (given) => {
      try {
        expect(decodeTemplate(Buffer.from(given)).isWellFormed()).toBe(true)
      } catch (error) {
        expect(error).toBeInstanceOf(NotText)
      }
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['comments', '<!---->'.repeat(140_000)],
  ['unclosed tags', '<a'.repeat(500_000)],
  ['unclosed metas', '<meta '.repeat(170_000)],
  ['unclosed titles', '<title>'.repeat(140_000)],
])('1 MB of %s is taken in without holding anybody up', async (_, html) => {
  const slow = upload('x.html', `${html}<p>x</p>`)
  let longest = 0
  let done = false
  void slow.catch(() => undefined).finally(() => {
    done = true
  })
  while (!done) {
    const asked = performance.now()
    await fetch(`${t.address}/healthz`)
    longest = Math.max(longest, performance.now() - asked)
  }
  expect(longest).toBeLessThan(3_000)
  expect((await slow).id).toBeTruthy()
})

test('a form without a file, with an unknown field or with a broken name is refused by field', async () => {
  const noFile = new FormData()
  noFile.set('name', 'x')
  await expect(ada.api(templates.create, { body: undefined as never, form: noFile })).rejects.toMatchObject({ status: 400, details: [{ field: 'file' }] })
  await expect(upload('x.html', '<p>x</p>', { owner: 'me' })).rejects.toMatchObject({ status: 400, details: [{ field: 'owner' }] })
  await expect(upload('x.html', '<p>x</p>', { subject: 'a\r\nBcc: x@y.z' })).rejects.toMatchObject({ status: 400, details: [{ field: 'subject' }] })
})

test('5 MB and 50 MB are refused with a text that says what to do', async () => {
  for (const size of [1024 * 1024 + 1, 5 * 1024 * 1024, 50 * 1024 * 1024]) {
    await expect(upload('big.html', Buffer.alloc(size, '<p>x</p>'))).rejects.toMatchObject({ status: 413, code: 'too_large', message: expect.stringContaining('1 MB') })
  }
  await expect(write('ä'.repeat(600_000))).rejects.toMatchObject({ status: 413 })
  await expect(write('x'.repeat(5 * 1024 * 1024))).rejects.toMatchObject({ status: 413 })
})

test('unknown fields and broken Liquid are told with their line, and what was written is kept', async () => {
  const unknown = await write('<p>Hi</p>\n<p>{{ first_nam }}</p>\n<a href="{{ unsubscribe_url }}">Leave</a>')
  expect(unknown.problems).toEqual([expect.objectContaining({ severity: 'error', code: 'unknown_field', line: 2, message: expect.stringContaining('first_nam') })])
  const broken = await write('<p>Hi</p>\n\n<p>{{ name | }</p>')
  expect(broken.html).toContain('{{ name | }')
  expect(broken.problems[0]).toMatchObject({ severity: 'error', code: 'html_syntax', line: 3 })
  expect((await ada.api(templates.get, { params: { id: broken.id } })).problems).toEqual(broken.problems)
  const inSubject = await write('<p>Hi {{ unsubscribe_url }}</p>', 'Hi {{ nam }}')
  expect(inSubject.problems).toEqual([expect.objectContaining({ code: 'unknown_field', message: expect.stringContaining('Subject: ') })])
})

test('include, endless loops and loops in loops are errors that leave the product running', async () => {
  const include = await write('<p>x</p>\n{% include "/etc/passwd" %}')
  expect(include.problems[0]).toMatchObject({ severity: 'error', code: 'include', line: 2 })
  const endless = await write('<p>x</p>\n{% for i in (1..1000000) %}{% for j in (1..1000000) %}x{% endfor %}{% endfor %}')
  expect(endless.problems[0]).toMatchObject({ severity: 'error', code: 'too_much_work', line: 2 })
  expect((await ada.api(templates.preview, { params: { id: endless.id }, body: {} })).html).toBe('')
})

test('a template that would keep a processor busy for minutes is stopped, and nobody else waits for the answer of the server', async () => {
  const nested = `<style>div div p{color:red}</style>${'<div>'.repeat(90_000)}x${'</div>'.repeat(90_000)}`
  let done = false
  const slow = write(nested).finally(() => {
    done = true
  })
  let answered = 0
  while (!done) {
    const asked = performance.now()
    expect((await fetch(`${t.address}/healthz`)).status).toBe(200)
    expect(performance.now() - asked).toBeLessThan(3_000)
    answered++
  }
  expect(answered).toBeGreaterThan(3)
  const saved = await slow
  expect(saved.html).toBe(nested)
  expect(saved.problems).toContainEqual(expect.objectContaining({ severity: 'error', code: 'too_much_work' }))
  expect((await write('<p>{{ name }}</p>')).problems.every(({ severity }) => severity === 'warning')).toBe(true)
})

test('broken HTML still renders, and everything unwise is a warning', async () => {
  const messy = await write('<p>unclosed <b>bold <img src="https://example.com/a.png"> <table><tr><td>cell')
  expect(messy.problems.map(({ code }) => code)).toEqual(expect.arrayContaining(['image_alt', 'no_unsubscribe']))
  expect(messy.problems.every(({ severity }) => severity === 'warning')).toBe(true)
  expect((await ada.api(templates.preview, { params: { id: messy.id }, body: {} })).html).toContain('cell')
  const long = await write(`<p>${'word '.repeat(25_000)}</p>`)
  expect(long.problems.map(({ code }) => code)).toContain('too_long')
})

test('a preview is written to a real contact, escaped, with the footer of the workspace', async () => {
  await t.services.db.updateTable('workspaces').set({ company: 'Engine Works', postalAddress: '1 Mill Lane\nYork' }).where('id', '=', ada.workspaceId).execute()
  const { id } = await write('<p>Dear {{ name }} of {{ attributes.company | default: "somewhere" }}</p>', 'For {{ name }}')
  const contactId = await savedContact(ada.workspaceId, 'grace@example.com', { company: 'Navy' })
  const preview = await ada.api(templates.preview, { params: { id }, body: { contactId } })
  expect(preview.subject).toBe('For Grace <Hopper>')
  expect(preview.html).toContain('Dear Grace &lt;Hopper&gt; of Navy')
  expect(preview.html).toContain('1 Mill Lane')
  expect(preview.text).toContain('Dear Grace <Hopper> of Navy')
  expect((await ada.api(templates.preview, { params: { id }, body: {} })).html).toContain('Robin Example')
})

test("a preview for another workspace's contact or nobody is refused alike", async () => {
  const { id } = await write('<p>{{ email }}</p>')
  const foreign = await savedContact(eve.workspaceId, 'private@example.com')
  for (const contactId of [foreign, '999999999']) {
    await expect(ada.api(templates.preview, { params: { id }, body: { contactId } })).rejects.toMatchObject({ status: 400, message: 'contactId does not name one of your contacts' })
  }
})

test('MJML given as HTML is still MJML, and HTML beside MJML is said to be unused', async () => {
  const mjml = '<mjml><mj-body><mj-section><mj-column><mj-text>Hi {{ unsubscribe_url }}</mj-text></mj-column></mj-section></mj-body></mjml>'
  const made = await write(mjml)
  expect(made).toMatchObject({ html: '', mjml, problems: [] })
  const both = await ada.api(templates.update, { params: { id: made.id }, body: { html: '<p>old</p>' } })
  expect(both).toMatchObject({ html: '<p>old</p>', mjml, problems: [{ severity: 'warning', code: 'html_unused' }] })
})

test('what is being written is previewed without being saved', async () => {
  const before = (await ada.api(templates.list, { query: {} })).total
  const mjml = '<mjml><mj-body><mj-section><mj-column><mj-text>Hi {{ name }}</mj-text></mj-column></mj-section></mj-body></mjml>'
  const preview = await ada.api(templates.draftPreview, { body: { subject: '', mjml } })
  expect(preview.html).toContain('Hi Robin Example')
  expect(preview.problems.filter(({ severity }) => severity === 'error')).toEqual([])
  expect((await ada.api(templates.draftPreview, { body: { html: '{% if %}' } })).problems[0]).toMatchObject({ severity: 'error', line: 1 })
  expect((await ada.api(templates.list, { query: {} })).total).toBe(before)
})

test('a template a scheduled campaign waits for is not removed', async () => {
  const { id } = await write('<p>later</p>')
  const campaign = { workspaceId: ada.workspaceId, name: 'Later', state: 'scheduled', templateId: id }
  await t.services.db.insertInto('campaigns').values(campaign).execute()
  await expect(ada.api(templates.remove, { params: { id } })).rejects.toMatchObject({ status: 409, code: 'template_in_use' })
})

test('every starter is free of errors, renders for anybody and stays under what Gmail cuts', async () => {
  const { items } = await t.api(templates.starters)
  expect(items.map(({ id }) => id)).toEqual(['newsletter', 'product-launch', 'personal-note'])
  for (const { name, subject, mjml } of items) {
    const made = await ada.api(templates.create, { body: { name, subject, mjml } })
    expect(made.problems.map(({ code }) => code)).toEqual(['no_unsubscribe'])
    const preview = await ada.api(templates.preview, { params: { id: made.id }, body: {} })
    expect(Buffer.byteLength(preview.html)).toBeLessThan(60_000)
    expect(preview.text).not.toContain('{{')
    expect(preview.text.length).toBeGreaterThan(300)
  }
})
