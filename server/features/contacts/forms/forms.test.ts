import { createHash } from 'node:crypto'
import { createChallenge } from 'altcha-lib/v1'
import type { Challenge } from 'altcha-lib/v1/types'
import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { contacts } from '#contracts/contacts/contacts.ts'
import { fields } from '#contracts/contacts/fields.ts'
import { type Form, forms } from '#contracts/contacts/forms.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { deriveKey } from '#server/platform/crypto.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { untilPasses } from '#server/testing/until.ts'

let t: TestApp
let ada: Person
let listId: string
beforeAll(async () => {
  t = await sharedApp()
  ada = await t.person({ name: 'Garden & Sons' })
  listId = (await ada.api(lists.create, { body: { name: 'Garden news' } })).id
})

type NewForm = Parameters<typeof ada.api<typeof forms.create>>[1]['body']
const make = (body: Partial<NewForm> = {}) =>
  ada.api(forms.create, { body: { name: 'Sign up', lists: [listId], ...body } })
const show = (form: Form) => ada.api(forms.get, { params: { id: form.id } })
const find = async (q: string) => (await ada.api(contacts.list, { query: { q } })).items[0]
const profile = async (q: string) => ada.api(contacts.get, { params: { id: (await find(q))?.id ?? '' } })
const post = ({ slug }: Pick<Form, 'slug'>, values: Record<string, string>, headers: Record<string, string> = {}) =>
  t.inject({
    method: 'POST',
    url: `/f/${slug}`,
    payload: new URLSearchParams(values).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
const postJson = ({ slug }: Pick<Form, 'slug'>, payload: unknown, headers: Record<string, string> = {}) =>
  t.inject({
    method: 'POST',
    url: `/f/${slug}`,
    payload: JSON.stringify(payload),
    headers: { 'content-type': 'application/json', ...headers },
  })
/** What is asked for at a moment of five seconds ahead: it stays a moment ago, however slow the machine is. */
async function rightNow<T>(act: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_000 })
  try {
    return await act()
  } finally {
    vi.useRealTimers()
  }
}
const mailsTo = (address: string) => t.sink.received.filter(({ to }) => to.includes(address)).length

test('form: a double opt-in form asks by email, and the confirmation holds what was agreed to', async () => {
  const tag = await ada.api(tags.create, { body: { name: 'From the site' } })
  const form = await make({
    slug: 'garden-news',
    heading: 'News <b>monthly</b>',
    fields: [
      { name: 'name', label: 'Your name', required: true },
      { name: 'attributes.garden size', label: 'Size' },
    ],
    tags: [tag.id],
    consentWording: 'I want the news.',
  })
  const page = await t.inject('/f/garden-news')
  expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('News &lt;b&gt;monthly&lt;/b&gt;')])
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  const missing = await post(form, { email: 'eve@form.example' })
  expect([missing.statusCode, missing.body]).toEqual([400, expect.stringContaining('aria-invalid="true"')])
  const sent = await post(
    form,
    { email: 'eve@form.example', name: 'Eve win.example now', 'attributes.garden size': '4 m' },
    { 'user-agent': 'Mosaic/1.0' },
  )
  expect([sent.statusCode, sent.headers.location]).toEqual([303, '/f/garden-news/done'])
  expect((await t.inject('/f/garden-news/done')).body).toContain('Check your inbox')
  const email = await t.sink.mailTo('eve@form.example')
  expect(`${email.html}${email.text}`).not.toContain('win.example')
  expect(await find('eve@form.example')).toBeUndefined()
  const link = /\/c\/\S+/.exec(email.text ?? '')?.[0] ?? ''
  await ada.api(forms.update, { params: { id: form.id }, body: { consentWording: 'I want the news and offers.' } })
  expect((await t.inject(link)).body).toContain('I want the news.')
  await t.inject({ method: 'POST', url: link })
  expect(await profile('eve@form.example')).toMatchObject({
    name: 'Eve win.example now',
    attributes: { 'garden size': '4 m' },
    lists: [listId],
    tags: [tag.id],
    source: 'form',
    confirmations: [
      {
        state: 'confirmed',
        form: { id: form.id, name: 'Sign up' },
        wording: 'I want the news.',
        wordingVersion: 1,
        requestedUserAgent: 'Mosaic/1.0',
      },
    ],
  })
  expect(await show(form)).toMatchObject({ submissions: 1, confirmations: 1, wordingVersion: 2 })
  await untilPasses(async () => expect((await show(form)).views).toBe(1))
})

test('form: single opt-in subscribes at once, by JSON too, but nobody who left and no data of others', async () => {
  const form = await make({
    optin: 'single',
    fields: [{ name: 'name', label: 'Name' }],
    redirectUrl: 'https://garden.example/thanks',
  })
  expect((await post(form, { email: 'one@single.example', name: 'One' })).headers.location).toBe(
    'https://garden.example/thanks',
  )
  const answer = await postJson(form, { email: 'one@single.example', name: 'Vandal' })
  expect([answer.statusCode, answer.json()]).toMatchObject([200, { confirm: false }])
  expect(await profile('one@single.example')).toMatchObject({ name: 'One', lists: [listId] })
  expect(mailsTo('one@single.example')).toBe(0)
  await ada.api(contacts.create, { body: { email: 'gone@single.example', lists: [listId] } })
  await ada.api(suppressions.create, { body: { address: 'gone@single.example', reason: 'unsubscribe' } })
  expect((await postJson(form, { email: 'gone@single.example' })).statusCode).toBe(200)
  const email = await t.sink.mailTo('gone@single.example')
  expect(await find('gone@single.example')).toMatchObject({ suppressed: 'unsubscribe' })
  await t.inject({ method: 'POST', url: /\/c\/\S+/.exec(email.text ?? '')?.[0] ?? '' })
  expect(await find('gone@single.example')).toMatchObject({ suppressed: null, lists: [listId] })
})

test('form: programs and wrong input are refused or ignored, each with the field', async () => {
  const form = await make({ optin: 'single', fields: [{ name: 'attributes.note', label: 'Note' }] })
  const refused = async (payload: unknown) => {
    const response = await postJson(form, payload)
    return [response.statusCode, response.json().details?.[0]?.field]
  }
  expect(await refused({ email: 'nobody' })).toEqual([400, 'email'])
  expect(await refused({})).toEqual([400, 'email'])
  expect(await refused({ email: ['a@b.example'] })).toEqual([400, 'email'])
  expect(await refused({ email: 'a@bad.example', note: 'x'.repeat(2_000) })).toEqual([400, 'attributes.note'])
  expect((await postJson(form, { email: 'a@bad.example', note: 'x'.repeat(1_000_000) })).statusCode).toBe(413)
  expect((await postJson({ slug: 'no-such-form' }, { email: 'a@bad.example' })).statusCode).toBe(404)
  const page = await rightNow(async () => t.inject(`/f/${form.slug}`))
  const word = /name="opened" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  expect(await refused({ email: 'a@bad.example', opened: word })).toEqual([400, 'opened'])
  expect(await refused({ email: 'a@bad.example', opened: `${word}x` })).toEqual([400, 'opened'])
  expect((await postJson(form, { email: 'bot@bad.example', website: 'https://spam.example' })).statusCode).toBe(200)
  expect([await find('a@bad.example'), await find('bot@bad.example')]).toEqual([undefined, undefined])
  let last = 200
  for (let n = 0; n < 25 && last === 200; n++) last = (await postJson(form, { email: `n${n}@many.example` })).statusCode
  expect(last).toBe(429)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from contacts where email like '%@many.example'`.execute(t.services.db)
  expect(rows[0]?.n).toBeLessThan(20)
})

test('form: lists, slugs and origins are exact, and the form is its own workspace alone', async () => {
  const other = await t.person()
  const foreign = await other.api(lists.create, { body: { name: 'Theirs' } })
  for (const body of [
    { lists: [foreign.id] },
    { lists: [] },
    { tags: ['999999'] },
    { allowedOrigins: ['https://a.example/'] },
    { redirectUrl: 'javascript:alert(1)' },
  ])
    await expect(make(body)).rejects.toMatchObject({
      status: 400,
      details: [{ field: expect.stringContaining(Object.keys(body)[0] ?? '') }],
    })
  const form = await make({ slug: 'only-one', allowedOrigins: ['https://garden.example'] })
  await expect(
    other.api(forms.create, { body: { name: 'Copy', slug: 'only-one', lists: [foreign.id] } }),
  ).rejects.toMatchObject({ status: 409, code: 'slug_taken' })
  await expect(other.api(forms.get, { params: { id: form.id } })).rejects.toMatchObject({ status: 404 })
  const preflight = async (origin: string) => {
    const { headers } = await t.inject({ method: 'OPTIONS', url: '/f/only-one', headers: { origin } })
    return headers['access-control-allow-origin']
  }
  expect([await preflight('https://garden.example'), await preflight('https://garden.example.evil.example')]).toEqual([
    'https://garden.example',
    undefined,
  ])
  const script = await t.inject('/f/only-one/embed.js')
  expect([script.headers['content-type'], script.headers['cross-origin-resource-policy']]).toEqual([
    'text/javascript; charset=utf-8',
    'cross-origin',
  ])
  expect(form.embed.html).toContain('action="http://localhost:3000/f/only-one"')
  await ada.api(forms.remove, { params: { id: form.id } })
  expect((await t.inject('/f/only-one')).statusCode).toBe(404)
})

test('form: a custom field is asked by its type, on our page and on other sites', async () => {
  await ada.api(fields.create, { body: { name: 'cup', type: 'choice', choices: ['Small', 'Large & hot'] } })
  await ada.api(fields.create, { body: { name: 'born', type: 'date' } })
  const asked = ['cup', 'born'].map((name) => ({ name: `attributes.${name}`, label: name, required: false }))
  const form = await make({ slug: 'by-type', optin: 'single', fields: asked })
  const page = (await t.inject('/f/by-type')).body
  for (const html of [page, form.embed.html]) {
    expect(html).toMatch(/<select [^>]*name="attributes.cup"/)
    expect(html).toMatch(/<option[^>]*>Large &amp; hot<\/option>/)
    expect(html).toMatch(/<input [^>]*type="date"[^>]*/)
  }
  const wrong = await post(form, { email: 'cup@example.com', 'attributes.cup': 'Huge' })
  expect([wrong.statusCode, wrong.body.includes('is none of the choices')]).toEqual([400, true])
})

test('form: fields may be called what every object has, and __proto__ is no name', async () => {
  const field = (name: string) => ({ name: `attributes.${name}`, label: name })
  const form = await make({ optin: 'single', fields: [field('constructor'), field('toString')] })
  expect((await post(form, { email: 'one@builtin.example' })).statusCode).toBe(303)
  expect((await postJson(form, { email: 'two@builtin.example', attributes: { toString: 'B' } })).statusCode).toBe(200)
  expect((await find('one@builtin.example'))?.attributes).toEqual({})
  expect(Object.entries((await find('two@builtin.example'))?.attributes ?? {})).toEqual([['toString', 'B']])
  await expect(make({ fields: [field('__proto__')] })).rejects.toMatchObject({ status: 400 })
  await expect(ada.api(fields.create, { body: { name: '__proto__' } })).rejects.toMatchObject({ status: 400 })
})

/** Finds the number of a challenge, as the script in a browser does. */
function solve({ challenge = '', salt = '', maxnumber = 0, ...rest }: Partial<Challenge>): string {
  let number = 0
  while (number <= maxnumber && createHash('sha256').update(`${salt}${number}`).digest('hex') !== challenge) number++
  return Buffer.from(JSON.stringify({ ...rest, challenge, salt, number })).toString('base64')
}

test('form: with proof of work, a solution of its own challenge is taken once, and all else is refused by name', async () => {
  const form = await make({ optin: 'single', proofOfWork: true, allowedOrigins: ['https://garden.example'] })
  const ask = async ({ slug }: Form) => {
    const headers = { origin: 'https://garden.example' }
    const response = await t.inject({ url: `/f/${slug}/challenge`, headers })
    expect(response.headers['access-control-allow-origin']).toBe('https://garden.example')
    return response.json() as Challenge
  }
  const send = async (altcha: string | undefined, email = 'ada@proof.example') => {
    const response = await postJson(form, { email, ...(altcha && { altcha }) })
    return [response.statusCode, response.json().details?.[0]]
  }
  const refused = (message: string) => [400, { field: 'altcha', message: expect.stringContaining(message) }]
  const solution = solve(await ask(form))
  expect(await send(solution, 'nobody')).toMatchObject([400, { field: 'email' }])
  expect(await send(solution)).toEqual([200, undefined])
  expect(await send(solution, 'eve@proof.example')).toEqual(refused('already been used'))
  expect(await send(undefined)).toEqual(refused('is required'))
  const other = await make({ proofOfWork: true, allowedOrigins: ['https://garden.example'] })
  const hmacKey = deriveKey(t.services.config.secretKey, `proof of form ${form.id}`).toString('hex')
  const past = { hmacKey, maxNumber: 10, expires: new Date(Date.now() - 1_000) }
  expect(await send(solve(await createChallenge(past)))).toEqual(refused('has expired'))
  for (const bad of [solve(await ask(other)), 'x', '{}', 'e30=', 'A'.repeat(3_000), `${solution}A`.slice(4)])
    expect(await send(bad, 'eve@proof.example')).toEqual(refused('is not a solution'))
  expect(await find('eve@proof.example')).toBeUndefined()

  // Plain HTML of another site: what was typed is shown on our page, which brings the proof.
  const plain = await post(form, { email: 'bob@proof.example' })
  expect(plain.statusCode).toBe(400)
  expect(plain.body).toContain('value="bob@proof.example"')
  expect(plain.body).toContain('This form needs JavaScript')
  const opened = /name="opened" value="([^"]+)"/.exec(plain.body)?.[1] ?? ''
  const proven = { email: 'bob@proof.example', opened, altcha: solve(await ask(form)) }
  expect((await post(form, proven)).statusCode).toBe(303)
  const policy = String((await t.inject(`/f/${form.slug}`)).headers['content-security-policy'])
  expect(policy).toContain("script-src 'self'; connect-src 'self'")
  expect((await t.inject('/f/check.js')).headers['content-type']).toBe('text/javascript; charset=utf-8')

  // A form that was opened a moment ago is refused on other sites too, with a challenge or without.
  const quick = await make({ allowedOrigins: ['https://garden.example'] })
  const { opened: now, challenge } = (await rightNow(() => ask(quick))) as Challenge & { opened: string }
  expect(challenge).toBeUndefined()
  expect((await postJson(quick, { email: 'ada@proof.example', opened: now })).json().details[0].field).toBe('opened')
  let last = 200
  for (let n = 0; n < 250 && last === 200; n++) last = (await t.inject(`/f/${quick.slug}/challenge`)).statusCode
  expect(last).toBe(429)
})
