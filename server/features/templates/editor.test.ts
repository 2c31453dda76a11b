import fc from 'fast-check'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { beforeAll, expect, test } from 'vitest'
import { images } from '#contracts/images/images.ts'
import { templates } from '#contracts/templates/templates.ts'
import { noise } from '#server/features/blog/testing.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { mapImages, readArchive } from './upload/archive.ts'

let t: TestApp
let ada: Person
let eve: Person
beforeAll(async () => {
  t = await sharedApp()
  ada = await t.person({ name: 'Ada' })
  eve = await t.person({ name: 'Eve' })
})

const body = (content: string) =>
  `<mjml><mj-body><mj-section><mj-column>${content}</mj-column></mj-section></mj-body></mjml>`
const write = (fields: { name?: string; subject?: string; html?: string; mjml?: string; text?: string }) =>
  ada.api(templates.create, { body: { name: 'Test', subject: 'Hello', ...fields } })

function upload(name: string, bytes: Uint8Array, person = ada) {
  const form = new FormData()
  form.set('file', new Blob([bytes as BlobPart]), name)
  return person.api(templates.create, { body: undefined as never, form })
}
const zip = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(Object.entries(files).map(([path, it]) => [path, typeof it === 'string' ? strToU8(it) : it])),
  )

test('template: the second of two concurrent saves is refused, and overwritten versions are stored', async () => {
  const { id, version } = await write({ html: '<p>first</p>' })
  const mine = await ada.api(templates.update, { params: { id }, body: { html: '<p>mine</p>', version } })
  expect(mine.version).toBe(version + 1)
  await expect(
    ada.api(templates.update, { params: { id }, body: { html: '<p>theirs</p>', version } }),
  ).rejects.toMatchObject({ status: 409, code: 'version_conflict' })
  expect((await ada.api(templates.get, { params: { id } })).html).toBe('<p>mine</p>')
  await ada.api(templates.update, { params: { id }, body: { html: '<p>theirs</p>' } })
  const { items } = await ada.api(templates.versions, { params: { id } })
  const kept = await Promise.all(
    items.map(async (item) => (await ada.api(templates.showVersion, { params: { id, versionId: item.id } })).html),
  )
  expect(kept).toEqual(['<p>mine</p>', '<p>first</p>'])
})

test('template: an earlier version is restored completely, and the version before is stored', async () => {
  const { id } = await write({ name: 'One', subject: 'A', html: '<p>a</p>', text: 'a as text' })
  await ada.api(templates.update, { params: { id }, body: { name: 'Two', subject: 'B', html: '<p>b</p>', text: '' } })
  const [first] = (await ada.api(templates.versions, { params: { id } })).items
  const params = { id, versionId: first?.id ?? '' }
  for (const call of [
    () => eve.api(templates.versions, { params: { id } }),
    () => eve.api(templates.showVersion, { params }),
    () => eve.api(templates.restore, { params }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 404 })
  expect(await ada.api(templates.restore, { params })).toMatchObject({
    name: 'One',
    subject: 'A',
    html: '<p>a</p>',
    text: 'a as text',
  })
  expect((await ada.api(templates.versions, { params: { id } })).items.map(({ name }) => name)).toEqual(['Two', 'One'])
})

test('template: at most twenty versions are stored', async () => {
  const { id } = await write({ html: '<p>0</p>' })
  for (let i = 1; i <= 25; i++) await ada.api(templates.update, { params: { id }, body: { html: `<p>${i}</p>` } })
  const { items } = await ada.api(templates.versions, { params: { id } })
  expect(items).toHaveLength(20)
  expect(items[0]?.version).toBe(25)
})

test("template: the author's own text part is used in the preview", async () => {
  const { id } = await write({ html: '<p>designed</p>', text: 'By hand for {{ name }}' })
  const shown = await ada.api(templates.preview, { params: { id }, body: {} })
  expect(shown.text).toContain('By hand for Robin Example')
  expect(shown.text).not.toContain('designed')
})

test('template: a preview shows the email as the nth recipient of a list', async () => {
  const { db } = t.services
  const list = await db
    .insertInto('lists')
    .values({ workspaceId: ada.workspaceId, name: 'Readers', optin: 'single' })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const name of ['Ann', 'Bob']) {
    const email = `${name.toLowerCase()}@example.com`
    const contact = await db
      .insertInto('contacts')
      .values({ workspaceId: ada.workspaceId, email, emailKey: email, name })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('listMembers')
      .values({ workspaceId: ada.workspaceId, listId: list.id, contactId: contact.id })
      .execute()
  }
  const show = (nth: number, person = ada) =>
    person.api(templates.draftPreview, { body: { html: '<p>Dear {{ name }}</p>', listId: list.id, nth } })
  expect(await show(2)).toMatchObject({ recipient: { email: 'bob@example.com', name: 'Bob' }, total: 2 })
  expect((await show(1)).html).toContain('Dear Ann')
  await expect(show(3)).rejects.toMatchObject({ status: 400, details: [{ field: 'nth' }] })
  await expect(show(1, eve)).rejects.toMatchObject({ status: 400, details: [{ field: 'listId' }] })

  const { id } = await write({ subject: 'For {{ name }}', html: '<p>{{ email }}</p>' })
  const test = (nth: number) => ada.api(templates.test, { params: { id }, body: { listId: list.id, nth } })
  expect(await test(2)).toEqual({ ok: true, message: `Sent to ${ada.email}, as bob@example.com reads it.` })
  const mail = await t.sink.waitFor(({ raw }) => raw.includes('[Test] For Bob'))
  expect([mail.subject, mail.html?.includes('<p>bob@example.com</p>')]).toEqual(['[Test] For Bob', true])
  await expect(test(3)).rejects.toMatchObject({ status: 400, details: [{ field: 'nth' }] })
  const saved = await ada.api(templates.preview, { params: { id }, body: { listId: list.id, nth: 1 } })
  expect(saved).toMatchObject({ subject: 'For Ann', recipient: { name: 'Ann' } })
})

test('template: the canvas renders MJML with its Liquid unchanged', async () => {
  const mjml = body('<mj-text css-class="block-3">Dear {{ name | default: "you" }}</mj-text>')
  const { html } = await ada.api(templates.canvas, { body: { mjml } })
  expect(html).toContain('Dear {{ name | default: "you" }}')
  expect(html).toContain('block-3')
  const broken = await ada.api(templates.canvas, { body: { mjml: '<mjml><mj-body><mj-section>' } })
  expect(broken.html === '' ? broken.problems.length : 1).toBeGreaterThan(0)
})

test('template: problems are reported with their code, line and message', async () => {
  const found = await write({
    subject: 'READ THIS TODAY!!',
    html: [
      '<p style="color: #999">Faint words</p>',
      '<a href="#">Nowhere</a>',
      '<a href="www.shop.test">Shop</a>',
      '<a href="https://evil.test/login">www.bank.test</a>',
      '<img src="images/cat.png">',
      '<p>This is risk-free. Click here. It is an email of several words, so that it is no image alone.</p>',
      '<a href="https://example.com/x">Later</a>',
    ].join('\n'),
  })
  const at = (code: string) => found.problems.filter((p) => p.code === code).map(({ line, message }) => [line, message])
  expect(at('contrast')).toEqual([[null, expect.stringContaining('#999999 on #ffffff')]])
  expect(at('link')).toEqual([
    [2, expect.stringContaining('A link has no URL')],
    [3, expect.stringContaining('Start it with https://')],
    [4, expect.stringContaining('phishing')],
  ])
  expect(at('image')).toEqual([[5, expect.stringContaining('images/cat.png')]])
  expect(at('image_alt')).toEqual([[5, expect.any(String)]])
  expect(at('placeholder')).toEqual([[7, expect.any(String)]])
  expect(at('spam').map(([, message]) => message)).toEqual([
    expect.stringContaining('capitals'),
    expect.stringContaining('exclamation'),
    expect.stringContaining('risk-free'),
    expect.stringContaining('Click here'),
  ])
  expect(at('no_unsubscribe')).toHaveLength(1)
})

test('template: an exported archive has its images and is imported unchanged', async () => {
  const form = new FormData()
  form.set('alt', 'A cat')
  form.set('image', new Blob([new Uint8Array(await noise(40, 30))]), 'cat.png')
  const image = await ada.api(images.add, { form })
  const mjml = body(`<mj-image src="${image.url}" alt="A cat" /><mj-text>Dear {{ name }} &amp; all</mj-text>`)
  const { id } = await write({ name: 'Cats & more', mjml, text: 'Cats' })
  const response = await ada.api(templates.export, { params: { id }, query: { format: 'zip' } })
  expect(response.headers.get('content-disposition')).toContain('Cats%20%20more.zip')
  const bytes = new Uint8Array(await response.arrayBuffer())
  const files = unzipSync(bytes)
  expect(Object.keys(files).toSorted()).toEqual([
    'email.txt',
    expect.stringMatching(/^images\/.*\.webp$/),
    'index.mjml',
  ])
  expect(strFromU8(files['index.mjml'] as Uint8Array)).toContain('src="images/')
  const back = await upload('Cats.zip', bytes, eve)
  expect(back.text).toBe('Cats')
  const url = /src="([^"]+)"/.exec(back.mjml)?.[1] ?? ''
  expect(url).toMatch(/^https?:\/\/.*\/media\//)
  expect(mapImages(back.mjml, () => image.url)).toBe(mjml)
  expect((await t.inject(new URL(url).pathname)).statusCode).toBe(200)
  expect((await eve.api(images.list, { query: {} })).items.map((item) => item.url)).toEqual([url])
})

test('template: HTML and MJML are exported as files, and a template in HTML has no MJML', async () => {
  const { id } = await write({ mjml: body('<mj-text>Dear {{ name }}</mj-text>') })
  const get = async (which: string, format: 'html' | 'mjml') =>
    (await ada.api(templates.export, { params: { id: which }, query: { format } })).text()
  expect(await get(id, 'html')).toMatch(/<!doctype html>[\s\S]*Dear \{\{ name \}\}/i)
  expect(await get(id, 'mjml')).toBe(body('<mj-text>Dear {{ name }}</mj-text>'))
  const plain = await write({ html: '<p>x</p>' })
  expect(await get(plain.id, 'html')).toBe('<p>x</p>')
  await expect(get(plain.id, 'mjml')).rejects.toMatchObject({ status: 409, code: 'no_mjml' })
  await expect(eve.api(templates.export, { params: { id }, query: { format: 'zip' } })).rejects.toMatchObject({
    status: 404,
  })
})

test.each([
  ['a path that leads out', () => zip({ 'index.html': '<p>x</p>', '../../etc/passwd': 'x' }), 'leads out'],
  ['an absolute path', () => zip({ '/index.html': '<p>x</p>' }), 'leads out'],
  ['a path with backslashes', () => zip({ '..\\index.html': '<p>x</p>' }), 'leads out'],
  ['a bomb', () => zip({ 'index.html': '<p>x</p>', 'a.bin': new Uint8Array(80 * 1024 * 1024) }), '60 MB'],
  ['too many files', () => zip(Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`${i}.txt`, 'x']))), '300'],
  ['no letter', () => zip({ 'a.txt': 'x' }), 'no .html or .mjml'],
  ['two letters', () => zip({ 'a.html': '<p>a</p>', 'b.html': '<p>b</p>' }), 'index.html'],
  ['an image that is none', () => zip({ 'a.html': '<img src="a.png">', 'a.png': 'no image' }), 'a.png'],
  ['half an archive', () => zip({ 'a.html': `<p>${Math.random()}</p>`.repeat(99) }).subarray(0, 60), 'damaged'],
  ['not an archive', () => strToU8('<p>hello</p>'), 'not a ZIP archive'],
])('template: an archive with %s is refused with the reason', async (_, make, words) => {
  await expect(upload('email.zip', make())).rejects.toMatchObject({
    status: 400,
    details: [{ field: 'file', message: expect.stringContaining(words) }],
  })
})

test('template: an archive of any bytes is read or refused with 400', async () => {
  const good = Buffer.from(zip({ 'index.html': '<p>x</p>', 'p/a.png': 'image' }))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 6 }), async (changes) => {
      const bytes = Buffer.from(good)
      for (const [at, value] of changes) bytes[at] = value
      try {
        for (const path of (await readArchive(bytes)).keys()) expect(path.split('/')).not.toContain('..')
      } catch (error) {
        expect(error).toMatchObject({ status: 400 })
      }
    }),
    { numRuns: 300 },
  )
})

test('template: a test email goes to the author only, with the fields of a sample contact', async () => {
  const { id } = await write({ subject: 'News for {{ name }}', html: '<p>Dear {{ name }}, grüße</p>' })
  const response = await ada.api(templates.test, { params: { id }, body: {} })
  expect(response).toEqual({ ok: true, message: `Sent to ${ada.email}.` })
  const mail = await t.sink.waitFor(({ raw }) => raw.includes('[Test] News'))
  expect(mail.to?.[0]?.address).toBe(ada.email)
  expect(mail.subject).toBe('[Test] News for Robin Example')
  expect(mail.html).toContain('Dear Robin Example, grüße')
  const broken = await write({ html: '<p>{{ nobody }}</p>' })
  await expect(ada.api(templates.test, { params: { id: broken.id }, body: {} })).rejects.toMatchObject({ status: 409 })
})

test('template: only its own workspace can change and remove an image of the library', async () => {
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array(await noise(20, 20))]), 'My cat.png')
  const image = await ada.api(images.add, { form })
  expect(image).toMatchObject({ name: 'My cat', alt: '', width: 20, height: 20 })
  const params = { id: image.id }
  await expect(eve.api(images.change, { params, body: { alt: 'x' } })).rejects.toMatchObject({ status: 404 })
  await expect(eve.api(images.remove, { params })).rejects.toMatchObject({ status: 404 })
  expect((await ada.api(images.change, { params, body: { alt: 'A cat asleep' } })).alt).toBe('A cat asleep')
  await ada.api(images.remove, { params })
  expect((await t.inject(new URL(image.url).pathname)).statusCode).toBe(200)
})

test('template: a named version is kept beyond the last twenty, and its name can be taken away', async () => {
  const { id } = await write({ html: '<p>First</p>' })
  // Without a version, each change stores the state before it.
  const change = (html: string) => ada.api(templates.update, { params: { id }, body: { html } })
  await change('<p>Second</p>')
  const list = async () => (await ada.api(templates.versions, { params: { id } })).items
  const first = (await list())[0]
  const params = { id, versionId: first?.id ?? '' }
  expect(await ada.api(templates.nameVersion, { params, body: { label: ' Before the sale ' } })).toMatchObject({
    label: 'Before the sale',
  })
  for (let at = 0; at < 22; at++) await change(`<p>${at}</p>`)
  expect((await list()).map(({ label }) => label).filter((label) => label !== '')).toEqual(['Before the sale'])
  expect(await list()).toHaveLength(21)
  const eve = await t.person()
  await expect(eve.api(templates.nameVersion, { params, body: { label: 'Mine' } })).rejects.toMatchObject({
    status: 404,
  })
  await ada.api(templates.nameVersion, { params, body: { label: '' } })
  await change('<p>Last</p>')
  expect(await list()).toHaveLength(20)
})

test('template: the public demo renders an email without an account, and refuses a large one', async () => {
  const mjml = body('<mj-text>Dear {{ name }}</mj-text>')
  const before = await ada.api(templates.list, { query: {} })
  expect((await t.api(templates.demoCanvas, { body: { mjml } })).html).toContain('Dear {{ name }}')
  const shown = await t.api(templates.demoPreview, { body: { subject: 'Hi {{ name }}', mjml } })
  expect(shown).toMatchObject({ subject: 'Hi Robin Example', recipient: null, total: null })
  await expect(t.api(templates.demoCanvas, { body: { mjml: 'x'.repeat(100_001) } })).rejects.toMatchObject({
    status: 400,
  })
  expect(await ada.api(templates.list, { query: {} })).toEqual(before)
})
