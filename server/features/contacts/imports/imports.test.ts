import { readdir, writeFile } from 'node:fs/promises'
import { request as rawRequest } from 'node:http'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { type Contact, contacts } from '#contracts/contacts/contacts.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { openSingle } from '#server/platform/db/copy-in.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'
import { buildWorkbook, XML } from '#server/testing/workbook.ts'
import { storeFile } from './files-store.ts'
import { workOff } from './import-run.ts'
import { runImport } from './import-start.ts'
import { insertImport } from './imports-store.ts'

let t: TestApp
beforeAll(async () => {
  t = await sharedApp()
})

function buildForm(content: string | Uint8Array, fields: Record<string, string> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([content as BlobPart]), 'people.csv')
  return form
}

async function ended(person: Person, id: string) {
  return until(async () => {
    const job = await person.api(imports.get, { params: { id } })
    return (job.state === 'done' || job.state === 'failed') && job
  }, 'the end of the import')
}

async function importing(person: Person, content: string | Uint8Array, fields: Record<string, string> = {}) {
  const { importId } = await person.api(contacts.import, { form: buildForm(content, fields) })
  return ended(person, importId)
}

async function everybody(person: Person, query: object = {}): Promise<Contact[]> {
  const all: Contact[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await person.api(contacts.list, { query: { limit: 200, ...query, ...(cursor && { cursor }) } })
    all.push(...page.items)
    if (!page.nextCursor) return all
    cursor = page.nextCursor
  }
}

const HEADING_ALONE = deflateRawSync(
  `${XML}<worksheet><sheetData><row><c t="str"><v>email</v></c></row></sheetData></worksheet>`,
)
const MAPPING = JSON.stringify({ Email: 'email', 'Full name': 'name', Tel: 'phone', Firm: 'company' })
const filesLeft = () => readdir(join(t.dataDir, 'imports'))

test('import: mapped rows are stored, and bad rows are listed with number and reason', async () => {
  const person = await t.person()
  const list = await person.api(lists.create, { body: { name: 'Imported' } })
  const file = [
    'Email,Full name,Tel,Firm,Ignored',
    'ann@example.com,Ann Lee,+49 30 123456,Acme,x',
    'no address,Bad,,,x',
    ',Nobody,,,',
    ',Only a number,+49 30 999999,,',
    'BEN@Example.COM,"Ben\nJr.",,"Say ""hi""",',
    'ann@EXAMPLE.com,,,Newer,',
    'half@example.com,"never closed,,,',
    'cy@example.com,Cy,030 123456,,',
  ].join('\r\n')
  const job = await importing(person, file, { listId: list.id, mapping: MAPPING })
  expect(job).toMatchObject({
    state: 'done',
    total: 8,
    imported: 4,
    updated: 1,
    skipped: 3,
    errorCount: 3,
    progress: 1,
    fileName: 'people.csv',
    listId: list.id,
    country: null,
    dateFormats: {},
    invalidPhones: 1,
  })
  expect(job.errors).toEqual([
    { row: 3, reason: 'the email address has no @' },
    { row: 4, reason: 'No email or phone number' },
    { row: 8, reason: 'a quotation mark is opened and never closed' },
  ])
  const all = await everybody(person, { listId: list.id })
  expect(all.find((c) => c.email === 'ann@example.com')).toMatchObject({
    name: 'Ann Lee',
    phone: '+4930123456',
    attributes: { company: 'Newer' },
    source: 'import',
  })
  expect(all.find((c) => c.email === 'BEN@example.com')).toMatchObject({
    name: 'Ben Jr.',
    attributes: { company: 'Say "hi"' },
  })
  expect(all.find((c) => c.phone === '+4930999999')).toMatchObject({ email: null, name: 'Only a number' })
  // An incomplete number is stored as it was written.
  expect(all.find((c) => c.email === 'cy@example.com')).toMatchObject({
    phone: null,
    attributes: { phone: '030 123456' },
  })
  const csv = await (await person.api(imports.errors, { params: { id: job.id } })).text()
  expect(csv.trim().split('\r\n')).toEqual([
    '"row","reason","line"',
    expect.stringContaining('"3",'),
    expect.stringContaining('"4",'),
    expect.stringContaining('"8",'),
  ])
  expect(await filesLeft()).toEqual([])
})

test('import: with a default country numbers without a country code are read, and what cannot be read is counted', async () => {
  const person = await t.person()
  const file =
    'email,phone\na@example.com,030 123456\nb@example.com,+44 20 7946 0958\nc@example.com,call me\n,0171 2345678\n'
  expect(await importing(person, file, { country: 'de' })).toMatchObject({
    ...{ state: 'done', imported: 4, skipped: 0, country: 'DE', invalidPhones: 1 },
  })
  const contacts = await everybody(person)
  expect(contacts.map(({ email, phone, attributes }) => [email ?? '', phone, attributes]).toSorted()).toEqual([
    ['', '+491712345678', {}],
    ['a@example.com', '+4930123456', {}],
    ['b@example.com', '+442079460958', {}],
    ['c@example.com', null, { phone: 'call me' }],
  ])
})

test('import: a number that was stored as text is a number once a file is imported with its country', async () => {
  const person = await t.person()
  const file = 'email,phone\na@example.com,030 123456\n'
  await importing(person, file)
  expect(await everybody(person)).toMatchObject([{ phone: null, attributes: { phone: '030 123456' } }])
  await importing(person, 'email,phone\na@example.com,+49 171 2345678\n')
  expect(await everybody(person)).toMatchObject([{ phone: '+491712345678', attributes: { phone: '030 123456' } }])
  await importing(person, file, { country: 'DE' })
  const [contact] = await everybody(person)
  expect([contact?.phone, contact?.attributes]).toEqual(['+4930123456', {}])
})

test.for([
  ['Email,Mobile,Phone', { Email: 'email', Mobile: 'phone', Phone: 'phone_2' }],
  ['Email Address,Name,Email', { 'Email Address': 'email', Name: 'name', Email: 'email_2' }],
  ['email,City,CITY', { email: 'email', City: 'city', CITY: 'city_2' }],
] as const)('import: a file with the columns %s is imported as it is guessed', async ([headings, mapping]) => {
  const person = await t.person()
  const [one, two, three] = Object.keys(mapping)
  const cells = { email: 'a@example.com', phone: '+49 30 123456', name: 'Ann' } as Record<string, string>
  const row = [one, two, three].map((heading) => cells[(mapping as Record<string, string>)[heading ?? ''] ?? ''] ?? 'x')
  const file = `${headings}\n${row.join(',')}\n`
  expect((await person.api(contacts.importPreview, { form: buildForm(file) })).mapping).toEqual(mapping)
  expect(await importing(person, file)).toMatchObject({ state: 'done', imported: 1, skipped: 0 })
})

test.for(['xx', 'Germany'])('import: the default country %s is refused', async (country) => {
  const person = await t.person()
  const form = buildForm('email,phone\nd@example.com,1\n', { country })
  await expect(person.api(contacts.import, { form })).rejects.toMatchObject({
    ...{ status: 400, details: [{ field: 'country' }] },
  })
})

test('import: a second import changes known contacts, and blank cells change nothing', async () => {
  const person = await t.person()
  await importing(person, 'email,name,city\na@example.com,Ann,Rome\nb@example.com,Ben,Oslo\n')
  const job = await importing(
    person,
    'E-Mail;name;city;zip\nA@Example.com;;Paris;1\nc@example.com;Cy;;\nC@example.com;Cyd;;\n',
  )
  expect(job).toMatchObject({ total: 3, imported: 1, updated: 2, skipped: 0 })
  const all = await everybody(person)
  expect(all.map((c) => [c.email, c.name, c.attributes])).toEqual([
    ['c@example.com', 'Cyd', {}],
    ['b@example.com', 'Ben', { city: 'Oslo' }],
    ['a@example.com', 'Ann', { city: 'Paris', zip: '1' }],
  ])
})

test('import: suppressed contacts stay suppressed, and unsubscribed members stay unsubscribed', async () => {
  const person = await t.person()
  const list = await person.api(lists.create, { body: { name: 'News' } })
  await importing(person, 'email\nleft@example.com\nstays@example.com\n', { listId: list.id })
  await t.services.pool.query(
    "update list_members set status = 'unsubscribed' where list_id = $1 and contact_id in (select id from contacts where email_key = 'left@example.com')",
    [list.id],
  )
  await person.api(suppressions.create, { body: { address: 'never@example.com', reason: 'complaint' } })
  await importing(person, 'email\nleft@example.com\nstays@example.com\nnever@example.com\n', { listId: list.id })
  expect(await person.api(lists.get, { params: { id: list.id } })).toMatchObject({ contacts: 2, unsubscribed: 1 })
  expect((await everybody(person, { q: 'never@' }))[0]).toMatchObject({ suppressed: 'complaint' })
})

test('import preview: format and columns are returned, and nothing is stored', async () => {
  const person = await t.person()
  const seen = await person.api(contacts.importPreview, {
    form: buildForm('Firma;E-Mail;Vorname\nAcme;a@example.com;Ann\n'),
  })
  expect(seen).toEqual({
    kind: 'csv',
    encoding: 'UTF-8',
    delimiter: ';',
    columns: ['Firma', 'E-Mail', 'Vorname'],
    rows: [['Acme', 'a@example.com', 'Ann']],
    mapping: { Firma: 'firma', 'E-Mail': 'email', Vorname: 'first_name' },
    dateFormats: {},
    duplicates: 0,
    total: 1,
    confirmations: expect.objectContaining({ perSecond: 10, perDay: null, rampUp: [], queued: 0, problem: null }),
  })
  expect(await everybody(person)).toEqual([])
  expect(await filesLeft()).toEqual([])
})

test('import: an unusable file or mapping is refused with the reason, and no file stays', async () => {
  const person = await t.person()
  const stranger = await (await t.person()).api(lists.create, { body: { name: 'Theirs' } })
  const good = 'email,name\na@example.com,Ann\n'
  const attempts: [FormData, string][] = [
    [buildForm(''), 'The file is empty.'],
    [buildForm('email,name\n\n'), 'The file has column names and no rows below them.'],
    [buildForm(buildWorkbook(HEADING_ALONE)), 'The file has column names and no rows below them.'],
    [buildForm('%PDF-1.4'), 'PDF'],
    [buildForm(new Uint8Array([0, 1, 2, 3, 0, 0, 0, 9])), 'not text'],
    [buildForm('name\nAnn\n'), 'maps no column to email or phone'],
    [buildForm(good, { mapping: '{"Mail":"email"}' }), 'not in the file'],
    [buildForm(good, { mapping: '{"email":"email","name":"email"}' }), 'two columns to email'],
    [buildForm(good, { mapping: '{"email":"email","name":"a/b"}' }), 'is not a valid attribute'],
    [buildForm(good, { mapping: 'nonsense' }), 'not a JSON object'],
    [buildForm(good, { listId: stranger.id }), 'does not exist in this workspace'],
    [buildForm(good, { listId: 'x' }), 'does not exist in this workspace'],
    [buildForm(good, { color: 'red' }), 'not a known field'],
    [new FormData(), 'File is missing'],
  ]
  for (const [form, words] of attempts) {
    await expect(person.api(contacts.import, { form })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(words),
    })
  }
  expect(await filesLeft()).toEqual([])
  expect((await person.api(imports.list, { query: {} })).items).toEqual([])
})

test('import: a file with a declared size over 2 GB is refused before it is sent', async () => {
  const person = await t.person()
  const status = await new Promise((resolve, reject) => {
    const request = rawRequest(`${t.address}/api/contacts/import`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${person.token}`,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': String(3 * 1024 ** 3),
      },
    })
    request.on('response', (response) => {
      resolve(response.statusCode)
      request.destroy()
    })
    request.on('error', reject)
    request.write('--x\r\n')
  })
  expect(status).toBe(413)
})

test('import: an upload that breaks off leaves no file and no import', async () => {
  const person = await t.person()
  const request = rawRequest(`${t.address}/api/contacts/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'multipart/form-data; boundary=x' },
  })
  request.on('error', () => undefined)
  request.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\na@example.com\n')
  await until(async () => (await filesLeft()).length > 0, 'the file that is being taken')
  request.destroy()
  await until(async () => (await filesLeft()).length === 0, 'the file is gone')
  expect((await person.api(imports.list, { query: {} })).items).toEqual([])
})

test('import: two concurrent imports of the same people into one list add up', async () => {
  const person = await t.person()
  const list = await person.api(lists.create, { body: { name: 'Both' } })
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `u${from + i}@example.com,N${from + i}`).sort(() => Math.random() - 0.5)
  const jobs = await Promise.all([
    importing(person, ['email,name', ...rows(0, 9_000)].join('\n'), { listId: list.id }),
    importing(person, ['email,name', ...rows(6_000, 15_000)].join('\n'), { listId: list.id }),
  ])
  for (const job of jobs) expect(job).toMatchObject({ state: 'done', total: 9_000, skipped: 0 })
  expect(jobs.reduce((sum, job) => sum + job.imported, 0)).toBe(15_000)
  expect(jobs.reduce((sum, job) => sum + job.updated, 0)).toBe(3_000)
  expect(await person.api(lists.get, { params: { id: list.id } })).toMatchObject({ contacts: 15_000 })
})

test('import: an import stopped in the middle is resumed and counts every row once', async () => {
  const person = await t.person()
  const rows = Array.from({ length: 30_000 }, (_, i) => (i % 100 === 7 ? `bad${i}` : `u${i % 20_000}@example.com`))
  const form = buildForm(['email', ...rows].join('\n'))
  const { importId } = await person.api(contacts.import, { form })
  // Beside the queue's own run: whichever comes first to a portion keeps it, the others give way.
  const stop = new AbortController()
  const unsubscribe = t.services.live.subscribe(`import:${importId}`, () => stop.abort())
  await Promise.all([
    runImport(t.services, person.workspaceId, importId, stop.signal),
    runImport(t.services, person.workspaceId, importId, stop.signal),
  ])
  unsubscribe()
  await runImport(t.services, person.workspaceId, importId, new AbortController().signal)
  const job = await ended(person, importId)
  expect(job).toMatchObject({
    state: 'done',
    total: 30_000,
    imported: 19_800,
    updated: 9_900,
    skipped: 300,
    errorCount: 300,
  })
  expect(await person.api(contacts.list, { query: { limit: 1 } })).toMatchObject({ total: 19_800 })
})

test('import: the last rows, lost by a database that was killed before they were on its disk, are read again', async () => {
  const { api, workspaceId } = await t.person()
  const { db, log, config, connection } = t.services
  const path = join(t.dataDir, 'lost.csv')
  const text = 'email\nlost1@example.com\nlost2@example.com\n'
  await writeFile(path, text)
  await storeFile(db, workspaceId, 'lost', path)
  const file = { fileName: 'lost.csv', filePath: 'lost', fileSize: String(text.length) }
  const given = {
    ...file,
    listId: null,
    mapping: { email: 'email' },
    keep: 'last' as const,
    country: null,
    dateFormats: {},
    contactLimit: null,
  }
  const id = await insertImport(db, workspaceId, { ...given, suppress: null, consent: undefined, agreed: undefined })
  const single = openSingle(connection, () => undefined)
  const run = (onProgress: () => unknown) =>
    workOff({ ...single, log, config, onProgress }, workspaceId, id, new AbortController().signal)
  await run(async () => {
    await db.deleteFrom('contacts').where('workspaceId', '=', workspaceId).execute()
    await db.updateTable('imports').set({ total: '0', imported: '0' }).where('id', '=', id).execute()
  })
  expect(await api(imports.get, { params: { id } })).toMatchObject({ state: 'running', total: 0 })
  await run(() => undefined)
  await single.db.destroy()
  expect(await api(imports.get, { params: { id } })).toMatchObject({ state: 'done', total: 2, imported: 2 })
  expect(await api(contacts.list, { query: {} })).toMatchObject({ total: 2 })
})

test('import: at the limit of the plan known contacts are changed, and the others are listed', async () => {
  const person = await t.person({ plan: 'free' })
  await importing(person, ['email', ...Array.from({ length: 499 }, (_, i) => `u${i}@example.com`)].join('\n'))
  const job = await importing(person, 'email,name\nnew1@example.com,A\nnew2@example.com,B\nu3@example.com,C\n')
  expect(job).toMatchObject({
    imported: 1,
    updated: 1,
    skipped: 1,
    errors: [{ row: 3, reason: expect.stringContaining('your plan includes 500 contacts') }],
  })
})

test('export: exported contacts are imported again unchanged, and no cell is a formula', async () => {
  const [person, other] = [await t.person(), await t.person()]
  const cells = ['=1+1', '+49', '-2', '@x', "'=quoted", "''+", "'t Hooft", 'a,b;"c"\nd', 'ünï', '日本']
  for (const [i, cell] of cells.entries()) {
    await person.api(contacts.create, {
      body: {
        email: `e${i}@example.com`,
        phone: `+493012345${i}${i}`,
        name: cell.replace('\n', ' '),
        attributes: { note: cell, n: i },
      },
    })
  }
  const csv = await (await person.api(contacts.export, { query: {} })).text()
  expect(csv).not.toMatch(/(^|[",\n])[=+@-]/)
  expect(await importing(other, csv)).toMatchObject({ state: 'done', imported: cells.length, skipped: 0 })
  const plain = (all: Contact[]) =>
    all.map((c) => [c.email, c.phone, c.name, c.attributes.note, String(c.attributes.n)]).sort()
  expect(plain(await everybody(other))).toEqual(plain(await everybody(person)))
  const list = await person.api(lists.create, { body: { name: 'Two' } })
  await person.api(contacts.upsert, { params: { address: 'e0@example.com' }, body: { lists: [list.id] } })
  const part = await (await person.api(contacts.export, { query: { listId: list.id } })).text()
  expect(part.trim().split('\r\n')).toHaveLength(2)
})

test('import: a consent is recorded for the imported numbers, except suppressed ones', async () => {
  const person = await t.person()
  await person.api(suppressions.create, {
    body: { address: '+447400300003', channel: 'whatsapp', reason: 'unsubscribe' },
  })
  const consent = {
    how: 'paper',
    purpose: 'news of the bakery',
    covers: ['marketing'],
    givenAt: '2026-01-02T10:00:00.000Z',
  }
  const file = [
    'email,phone,name',
    'ann@example.com,+44 7400 300001,Ann',
    ',+44 7400 300002,Ben',
    'cy@example.com,+44 7400 300003,Cy',
    'no-number@example.com,,Dee',
    ',+44 7400 300002,Benjamin',
  ].join('\n')
  const job = await importing(person, file, { consent: JSON.stringify(consent) })
  expect(job).toMatchObject({ state: 'done', imported: 4, consents: 2 })
  const { items } = await person.api(whatsappConsents.list, { query: {} })
  const recorded = items.map(({ phone, how, purpose, evidence, recordedBy, counts }) => [
    phone,
    how,
    purpose,
    evidence,
    recordedBy,
    counts,
  ])
  expect(recorded.sort()).toEqual(
    ['+447400300001', '+447400300002'].map((phone) => [
      phone,
      'paper',
      'news of the bakery',
      'Imported with people.csv',
      person.email,
      true,
    ]),
  )
  // The same file again says nothing new.
  expect(await importing(person, file, { consent: JSON.stringify(consent) })).toMatchObject({
    state: 'done',
    consents: 0,
  })
  expect(await importing(person, file)).toMatchObject({ state: 'done', consents: null })
  const refused: [string, string, string][] = [
    [file, '{', 'consent'],
    [file, '8', 'consent'],
    [file, JSON.stringify({ ...consent, purpose: '' }), 'consent.purpose'],
    [file, JSON.stringify({ ...consent, givenAt: '2999-01-01T00:00:00.000Z' }), 'consent.givenAt'],
    ['email\nann@example.com', JSON.stringify(consent), 'consent'],
  ]
  for (const [content, given, field] of refused)
    await expect(importing(person, content, { consent: given })).rejects.toMatchObject({
      status: 400,
      details: [{ field }],
    })
})

test('import: imports of other workspaces respond with 404', async () => {
  const [mine, other] = [await t.person(), await t.person()]
  const job = await importing(other, 'email\nnot an address\n')
  await expect(mine.api(imports.get, { params: { id: job.id } })).rejects.toMatchObject({ status: 404 })
  await expect(mine.api(imports.errors, { params: { id: job.id } })).rejects.toMatchObject({ status: 404 })
  expect((await mine.api(imports.list, { query: {} })).items).toEqual([])
})

test('import: first and last name are built in, and make the name where the file has none', async () => {
  const person = await t.person()
  await importing(person, 'Email,First name,Surname\nann@example.com,Ann,van Lee\nben@example.com,Ben,\n')
  const all = await everybody(person)
  expect(all.map(({ email, name, attributes }) => [email, name, attributes])).toEqual([
    ['ben@example.com', 'Ben', { first_name: 'Ben' }],
    ['ann@example.com', 'Ann van Lee', { first_name: 'Ann', last_name: 'van Lee' }],
  ])
})

test.each([
  ['last', { imported: 2, updated: 4, skipped: 0 }, 'Cid', 'c'],
  ['first', { imported: 2, updated: 1, skipped: 3 }, 'Ann', 'a'],
] as const)('import: of repeated rows the %s is kept, and all are counted', async (keep, counts, name, firm) => {
  const person = await t.person()
  await person.api(contacts.create, { body: { email: 'known@example.com', name: 'Before' } })
  const file =
    'Email,Name,Firm\nann@example.com,Ann,a\nANN@example.com,Bea,b\nknown@example.com,Now,\nben@example.com,Ben,\nknown@example.com,,later\nann@example.com,Cid,c\n'
  const preview = await person.api(contacts.importPreview, { form: buildForm(file) })
  expect(preview.duplicates).toBe(3)
  const job = await importing(person, file, { keep })
  expect(job).toMatchObject({ total: 6, ...counts, duplicates: 3, keep, errorCount: 0, errors: [] })
  const all = await everybody(person)
  expect(all.find(({ email }) => email === 'ann@example.com')).toMatchObject({ name, attributes: { firm } })
  expect(all.find(({ email }) => email === 'known@example.com')).toMatchObject({
    name: 'Now',
    attributes: keep === 'last' ? { firm: 'later' } : {},
  })
})

test('import: a choice other than first or last is refused', async () => {
  const person = await t.person()
  await expect(
    person.api(contacts.import, { form: buildForm('email\na@example.com\n', { keep: 'both' }) }),
  ).rejects.toMatchObject({ status: 400 })
})

test('import: 200,000 rows of ten people are counted, and the first of each is kept', async () => {
  const person = await t.person()
  const rows = Array.from({ length: 200_000 }, (_, n) => `p${n % 10}@example.com,Name ${n}`)
  const job = await importing(person, `email,name\n${rows.join('\n')}\n`, { keep: 'first' })
  expect(job).toMatchObject({ state: 'done', total: 200_000, imported: 10, skipped: 199_990, errorCount: 0 })
  expect(job.duplicates).toBe(199_990)
  const all = await everybody(person)
  expect(all.map(({ name }) => name).sort()).toEqual(Array.from({ length: 10 }, (_, n) => `Name ${n}`))
})

test('import: columns may be called what every object has, and __proto__ is none', async () => {
  const person = await t.person()
  await importing(person, 'email,constructor,toString,__proto__\nbuiltin@example.com,1,2,3\n')
  expect(Object.entries((await everybody(person))[0]?.attributes ?? {}).sort()).toEqual([
    ['constructor', '1'],
    ['tostring', '2'],
  ])
})
