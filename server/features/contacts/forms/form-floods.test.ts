import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { forms } from '#contracts/contacts/forms.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { templates } from '#contracts/templates/templates.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { isLong } from '#server/testing/long.ts'

/** What one form takes in an hour: of one visitor, and of all. */
const AN_HOUR = { visitor: 20, everybody: 1_000 }

let t: TestApp
let ada: Person
let listId: string
beforeAll(async () => {
  t = await sharedApp()
  ada = await t.person({ name: 'Garden & Sons' })
  listId = (await ada.api(lists.create, { body: { name: 'Garden news' } })).id
})

const make = (body: { optin?: 'single' | 'double'; fields?: { name: string; label: string }[] }) =>
  ada.api(forms.create, { body: { name: 'Sign up', lists: [listId], ...body } })
const post = (slug: string, values: Record<string, string>, from?: string) =>
  t.inject({
    method: 'POST',
    url: `/f/${slug}`,
    payload: new URLSearchParams(values).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(from && { 'x-forwarded-for': from }) },
  })

/** How many contacts are in the domain of a test. */
async function countContacts(domain: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from contacts where email_key like ${`%@${domain}`}`.execute(t.services.db)
  return rows[0]?.n ?? 0
}

test('form: posts beyond its limits at the same moment are refused with when to come back, and the counts are exact', async () => {
  const form = await make({ optin: 'single' })
  const count = async () => (await ada.api(forms.get, { params: { id: form.id } })).submissions
  const posts = Array.from({ length: AN_HOUR.visitor + 15 }, (_, n) =>
    post(form.slug, { email: `p${n}@flood.example` }, '203.0.113.1'),
  )
  const responses = await Promise.all(posts)
  const refused = responses.filter(({ statusCode }) => statusCode === 429)
  expect([responses.filter(({ statusCode }) => statusCode === 303).length, refused.length]).toEqual([20, 15])
  for (const { headers, body } of refused) {
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_000)
    expect(body).toContain('sent many times in the last hour')
  }
  expect([await count(), await countContacts('flood.example')]).toEqual([20, 20])
  // Of everybody one more is left.
  await t.services.db
    .updateTable('throttles')
    .set({ count: AN_HOUR.everybody - 1 })
    .where('key', '=', `form:${form.id}`)
    .execute()
  const others = Array.from({ length: 5 }, (_, n) =>
    post(form.slug, { email: `o${n}@flood.example` }, `203.0.113.${n + 10}`),
  )
  const codes = (await Promise.all(others)).map(({ statusCode }) => statusCode)
  expect(codes.toSorted()).toEqual([303, 429, 429, 429, 429])
  expect([await count(), await countContacts('flood.example')]).toEqual([21, 21])
})

test.runIf(isLong)(
  'form: of 10,000 posts by 1,000 visitors as many are taken as its limit says, in little memory',
  async () => {
    const form = await make({ optin: 'single' })
    const before = process.memoryUsage().heapUsed
    const codes = new Map<number, number>()
    for (let from = 0; from < 10_000; from += 100) {
      const batch = Array.from({ length: 100 }, (_, i) => from + i)
      const responses = await Promise.all(
        batch.map((n) => post(form.slug, { email: `p${n}@ten.example` }, `203.0.${n % 4}.${(n >> 2) % 250}`)),
      )
      for (const { statusCode } of responses) codes.set(statusCode, (codes.get(statusCode) ?? 0) + 1)
    }
    expect([...codes].toSorted()).toEqual([
      [303, AN_HOUR.everybody],
      [429, 9_000],
    ])
    expect(await ada.api(forms.get, { params: { id: form.id } })).toMatchObject({ submissions: AN_HOUR.everybody })
    expect(await countContacts('ten.example')).toBe(AN_HOUR.everybody)
    globalThis.gc?.()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(200 * 2 ** 20)
  },
)

test('form: a field of 1 MB is refused in both encodings, and nothing is stored', async () => {
  const { slug } = await make({ optin: 'single', fields: [{ name: 'name', label: 'Name' }] })
  expect((await post(slug, { email: 'big@large.example', name: 'x'.repeat(2 ** 20) })).statusCode).toBe(413)
  const payload = JSON.stringify({ email: 'big@large.example', name: 'x'.repeat(2 ** 20) })
  const headers = { 'content-type': 'application/json' }
  expect((await t.inject({ method: 'POST', url: `/f/${slug}`, payload, headers })).statusCode).toBe(413)
  const long = await post(slug, { email: 'big@large.example', name: 'x'.repeat(60_000) })
  expect([long.statusCode, long.body]).toEqual([400, expect.stringContaining('is longer than 200 characters')])
  expect(await countContacts('large.example')).toBe(0)
})

const MARKUP = `"><img src=x onerror=alert(1)><script>alert(2)</script>{{ 7 | times: 6 }}'`

test('form: markup in a name is text on our page, in the email and in the confirmation', async () => {
  const form = await make({ optin: 'double', fields: [{ name: 'name', label: 'Name' }] })
  const shown = await post(form.slug, { email: 'nobody', name: MARKUP })
  expect([shown.statusCode, shown.body]).toEqual([400, expect.stringContaining('&lt;img src=x')])
  const html = '<p>Dear {{ name }}: <a href="{{ confirm_url }}">yes</a></p>'
  const template = await ada.api(templates.create, { body: { name: 'Ours', subject: 'Hello {{ name }}', html } })
  const own = await ada.api(lists.create, {
    body: { name: '<b>Own</b>', optin: 'double', confirmationTemplateId: template.id },
  })
  const second = await ada.api(forms.create, { body: { name: 'Own', lists: [own.id], fields: form.fields } })
  await post(form.slug, { email: 'eve@markup.example', name: MARKUP })
  await post(second.slug, { email: 'bob@markup.example', name: MARKUP })
  for (const address of ['eve@markup.example', 'bob@markup.example']) {
    const email = await t.sink.mailTo(address)
    const page = await t.inject(/\/c\/[\w.-]+/.exec(email.text ?? '')?.[0] ?? '')
    expect(page.statusCode).toBe(200)
    for (const text of [shown.body, email.html ?? '', email.subject ?? '', page.body]) {
      expect(text).not.toMatch(/<img src=x|<script>alert|<b>Own|\b42\b/)
    }
  }
  // As a contact it is the text they typed.
  const link = /\/c\/[\w.-]+/.exec((await t.sink.mailTo('eve@markup.example')).text ?? '')?.[0] ?? ''
  await t.inject({ method: 'POST', url: link })
  const { items } = await ada.api(contacts.list, { query: { q: 'eve@markup.example' } })
  expect(items).toMatchObject([{ name: MARKUP }])
})
