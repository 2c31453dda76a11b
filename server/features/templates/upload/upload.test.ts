import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { templates } from '#contracts/templates/templates.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { watchEventLoop } from '#server/testing/processor-time.ts'
import { healthDuring } from '#server/testing/until.ts'
import { decodeTemplate, NotText } from './decode.ts'

let t: TestApp
let ada: Person
beforeAll(async () => {
  t = await sharedApp()
  ada = await t.person({ name: 'Ada' })
})

function buildForm(name: string, content: string | Uint8Array, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set('file', new Blob([content as BlobPart]), name)
  return form
}

/** Uploads as a browser does; JSON bodies are no part of a form. */
const upload = (name: string, content: string | Uint8Array, fields?: Record<string, string>) =>
  ada.api(templates.create, { body: undefined as never, form: buildForm(name, content, fields) })

const write = (html: string, subject = 'Hello') => ada.api(templates.create, { body: { name: 'Test', subject, html } })

test('template upload: HTML and MJML are told by content, and the name is the title or the file name', async () => {
  expect(
    await upload(
      'spring-email.html',
      '<html><head><title>Spring &amp; more</title></head><body><p>x</p></body></html>',
    ),
  ).toMatchObject({ name: 'Spring & more', mjml: '' })
  expect(await upload('C:\\mail\\plain.htm', '<p>no title</p>')).toMatchObject({
    name: 'plain',
    html: '<p>no title</p>',
  })
  const mjml =
    '<!-- made by hand -->\n<mjml><mj-head><mj-title>From MJML</mj-title></mj-head><mj-body><mj-section><mj-column><mj-text>x</mj-text></mj-column></mj-section></mj-body></mjml>'
  expect(await upload('really-mjml.html', mjml)).toMatchObject({ name: 'From MJML', html: '', mjml })
  expect(await upload('really-html.mjml', '<p>html</p>', { name: 'Mine', subject: 'Hi' })).toMatchObject({
    name: 'Mine',
    subject: 'Hi',
    html: '<p>html</p>',
    mjml: '',
  })
})

test.each([
  ['UTF-8', Buffer.from('<p>Grüße für 10 €</p>')],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeff<p>Grüße für 10 €</p>')],
  ['Windows-1252', Buffer.from('<p>Gr\xfc\xdfe f\xfcr 10 \x80</p>', 'latin1')],
  ['UTF-16 little-endian', Buffer.from('\ufeff<p>Grüße für 10 €</p>', 'utf16le')],
  ['UTF-16 big-endian', Buffer.from('\ufeff<p>Grüße für 10 €</p>', 'utf16le').swap16()],
])('template upload: umlauts and the euro sign of a file in %s are preserved', async (_, bytes) => {
  expect((await upload('x.html', bytes)).html).toBe('<p>Grüße für 10 €</p>')
})

test('template upload: a declared encoding is used, and the declaration becomes UTF-8', async () => {
  const koi8 = Buffer.concat([
    Buffer.from('<meta charset="koi8-r"><p>'),
    Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]),
    Buffer.from('</p>'),
  ])
  expect((await upload('x.html', koi8)).html).toBe('<meta charset="utf-8"><p>Привет</p>')
})

test.each([
  ['empty', Buffer.from(''), 'x.html'],
  ['only spaces', Buffer.from(' \r\n '), 'x.html'],
  ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]), 'x.html'],
  ['an archive', Buffer.from('PK\x03\x04\x14\x00\x06\x00', 'latin1'), 'x.mjml'],
  ['text with NUL', Buffer.from('<p>a\u0000b</p>'), 'x.html'],
  ['wrongly declared', Buffer.from('<meta charset="utf-8"><p>Gr\xfc\xdfe</p>', 'latin1'), 'x.html'],
  [
    'damaged UTF-8',
    Buffer.concat([Buffer.from('<p>Grüße aus Österreich, schön'), Buffer.from([0xe2, 0x82]), Buffer.from('</p>')]),
    'x.html',
  ],
  ['no tags', Buffer.from('just words'), 'x.html'],
  ['another kind of file', Buffer.from('<p>x</p>'), 'x.docx'],
])('template upload: a file that is %s is refused with the field file', async (_, bytes, name) => {
  await expect(upload(name, bytes)).rejects.toMatchObject({ status: 400, details: [{ field: 'file' }] })
})

test('template upload: any bytes are decoded to well-formed text or refused', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.string({ unit: 'binary' }).map((text) => Buffer.from(`<p>${text}`)),
    fc.string().map((text) => Buffer.from(`<meta charset="${text}"><p>\xfc`, 'latin1')),
  )
  fc.assert(
    fc.property(bytes, (given) => {
      try {
        expect(decodeTemplate(Buffer.from(given)).isWellFormed()).toBe(true)
      } catch (error) {
        expect(error).toBeInstanceOf(NotText)
      }
    }),
    { numRuns: 500, examples: [[Uint8Array.of(0xfe, 0xff, 0xd8, 0x00)]] },
  )
})

test.each([
  ['comments', '<!---->'.repeat(140_000)],
  ['unclosed tags', '<a'.repeat(500_000)],
  ['unclosed metas', '<meta '.repeat(170_000)],
  ['unclosed titles', '<title>'.repeat(140_000)],
])('template upload: 1 MB of %s is stored without blocking the server', async (_, html) => {
  const slow = upload('x.html', `${html}<p>x</p>`)
  const stopWatching = watchEventLoop()
  await healthDuring(t.address, slow)
  expect(stopWatching()).toBeLessThan(1_000)
  expect((await slow).id).toBeTruthy()
})

test('template upload: a missing file, an unknown field or a broken subject is refused by field', async () => {
  const noFile = new FormData()
  noFile.set('name', 'x')
  await expect(ada.api(templates.create, { body: undefined as never, form: noFile })).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'file' }],
  })
  await expect(upload('x.html', '<p>x</p>', { owner: 'me' })).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'owner' }],
  })
  await expect(upload('x.html', '<p>x</p>', { subject: 'a\r\nBcc: x@y.z' })).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'subject' }],
  })
})

test('template upload: a template over 1 MB is refused with the limit', async () => {
  for (const size of [1024 * 1024 + 1, 5 * 1024 * 1024, 50 * 1024 * 1024]) {
    await expect(upload('big.html', Buffer.alloc(size, '<p>x</p>'))).rejects.toMatchObject({
      status: 413,
      code: 'too_large',
      message: expect.stringContaining('1 MB'),
    })
  }
  await expect(write('ä'.repeat(600_000))).rejects.toMatchObject({ status: 413 })
  await expect(write('x'.repeat(5 * 1024 * 1024))).rejects.toMatchObject({ status: 413 })
})
