/** Every endpoint of the contract for every kind of caller. New endpoints are walked without a word here. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { until } from '#server/testing/until.ts'
import { bounceSources } from './bounces/bounces.ts'
import { campaigns } from './campaigns/campaigns.ts'
import { collector } from './collector/collector.ts'
import { contactsBulk } from './contacts/bulk.ts'
import { contacts } from './contacts/contacts.ts'
import { fields } from './contacts/fields.ts'
import { forms } from './contacts/forms.ts'
import { lists } from './contacts/lists.ts'
import { segments } from './contacts/segments.ts'
import { suppressions } from './contacts/suppressions.ts'
import { tags } from './contacts/tags.ts'
import type { Endpoint } from './endpoint.ts'
import { contract } from './index.ts'
import { journeys } from './journeys/journeys.ts'
import { sandboxWhatsApp } from './sandbox/whatsapp.ts'
import { domains } from './senders/domains.ts'
import { senders } from './senders/senders.ts'
import { blocks } from './templates/parts.ts'
import { templates } from './templates/templates.ts'
import { whatsappAutomations } from './whatsapp/automations.ts'
import { whatsappConversations } from './whatsapp/inbox.ts'
import { whatsappNumbers } from './whatsapp/numbers.ts'
import { whatsappSavedReplies } from './whatsapp/saved-replies.ts'
import { whatsappTemplates } from './whatsapp/templates.ts'

let t: TestApp
let owner: Person
let other: Person
let free: Person
let admin: Person
/** Valid ids of `owner`, by the first word of the path they belong in. */
const ids: Record<string, string> = {}

const endpoints = Object.entries(contract).flatMap(([noun, all]) =>
  Object.entries(all).map(([name, e]) => ({ title: `${noun}.${name}`, e: e as Endpoint })),
)
/** A body no schema takes: one key that is nobody's. */
const UNKNOWN = { 'not a field': true }
const FORM = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\ntext\r\n--x--\r\n'
/** Of what every installation has one: not a customer's, so no stranger exists. */
const isShared = (e: Endpoint) => e.path.startsWith('/api/sandbox/') || e.access === 'admin'

beforeAll(async () => {
  // Without a mail server the sandbox starts, so that its endpoints are there too.
  t = await testApp({ environment: { SMTP_URL: '', COLLECTOR_ALLOW_PRIVATE: '10.0.0.1:8080' } })
  owner = await t.person()
  other = await t.person({ plan: 'pro' })
  free = await t.person({ plan: 'free' })
  admin = await t.person({ role: 'admin' })
  ids.lists = (await owner.api(lists.create, { body: { name: 'People' } })).id
  ids.contacts = (await owner.api(contacts.create, { body: { email: 'ada@example.com', lists: [ids.lists] } })).id
  const everyone = { ids: [ids.contacts], action: 'addToList' as const, value: ids.lists }
  ids.jobs = (await owner.api(contactsBulk.start, { body: everyone })).jobId
  ids.fields = (await owner.api(fields.create, { body: { name: 'company' } })).id
  ids.tags = (await owner.api(tags.create, { body: { name: 'VIP' } })).id
  const segment = { name: 'VIPs', filter: { op: 'and' as const, items: [] } }
  ids.segments = (await owner.api(segments.create, { body: segment })).id
  ids.forms = (await owner.api(forms.create, { body: { name: 'Sign up', lists: [ids.lists] } })).id
  ids.suppressions = (await owner.api(suppressions.create, { body: { address: 'gone@example.com' } })).id
  ids.templates = (await owner.api(templates.create, { body: { name: 'News', html: '<p>Hello</p>' } })).id
  const block = { name: 'Head', mjml: '<mj-text>Hello</mj-text>' }
  ids.blocks = (await owner.api(blocks.create, { body: block })).id
  ids.senders = (await owner.api(senders.list, { query: {} })).items[0]?.id ?? ''
  ids['sending-domains'] = (await owner.api(domains.create, { body: { domain: 'example.com' } })).id
  ids['bounce-sources'] = (await owner.api(bounceSources.create, { body: { kind: 'generic' } })).id
  ids.campaigns = (await owner.api(campaigns.create, { body: { name: 'First' } })).id
  const definition = { trigger: { kind: 'manual' as const }, steps: [] }
  ids.journeys = (await owner.api(journeys.create, { body: { name: 'Welcome', definition } })).id
  const collected = await owner.api(collector.create, { body: { kind: 'email', urls: ['http://10.0.0.1:8080/'] } })
  ids.collector = collected.id
  const [number] = (await admin.api(sandboxWhatsApp.numbers, { query: {} })).items
  const { phoneNumberId, businessAccountId, accessToken, appSecret } = number as NonNullable<typeof number>
  const keys = { phoneNumberId, businessAccountId, accessToken, appSecret }
  ids['whatsapp/accounts'] = (await owner.api(whatsappNumbers.create, { body: keys })).id
  ids['whatsapp/templates'] = await until(
    async () => (await owner.api(whatsappTemplates.list, { query: {} })).items[0]?.id,
    'templates of the emulator',
  )
  const automation = {
    accountId: ids['whatsapp/accounts'],
    kind: 'fallback' as const,
    name: 'Else',
    rules: { reply: 'Yes?' },
  }
  ids['whatsapp/automations'] = (await owner.api(whatsappAutomations.create, { body: automation })).id
  const saved = { name: 'Hours', text: 'We are open from 9 to 5.' }
  ids['whatsapp/saved-replies'] = (await owner.api(whatsappSavedReplies.create, { body: saved })).id
  const params = { number: phoneNumberId, person: '447911123499' }
  await admin.api(sandboxWhatsApp.say, { params, body: { deed: { act: 'text', text: 'Hello' } } })
  ids['whatsapp/conversations'] = await until(
    async () => (await owner.api(whatsappConversations.list, { query: {} })).items[0]?.id,
    'a conversation',
  )
  const form = new FormData()
  form.set('listId', ids.lists)
  form.set('mapping', JSON.stringify({ Email: 'email' }))
  form.set('file', new Blob(['Email\nbob@example.com\n']), 'people.csv')
  ids.imports = (await owner.api(contacts.import, { form })).importId
  const sessions = await t.inject({ url: '/api/account/sessions', headers: { authorization: `Bearer ${owner.token}` } })
  ids.account = sessions.json().items[0].id
})
afterAll(() => t[Symbol.asyncDispose]())

function pathFor(e: Endpoint): string {
  const [, , noun = '', part = ''] = e.path.split('/')
  // WhatsApp's nouns are one step further down.
  const id = ids[`${noun}/${part}`] ?? ids[noun] ?? '1'
  const known: Record<string, string> = {
    address: 'ada@example.com',
    index: '0',
    person: '447700900123',
    number: '12345',
  }
  return e.path.replace(/:(\w+)/g, (_, name: string) => known[name] ?? id)
}

/** Calls an endpoint with a body that fits when `fits`, or else with one that cannot. */
async function call(e: Endpoint, who: Person | undefined, body?: unknown) {
  const sendsJson = e.method !== 'GET' && e.body !== undefined
  const sendsForm = e.form !== undefined && e.body === undefined
  return t.inject({
    method: e.method,
    url: pathFor(e),
    headers: {
      ...(who && { authorization: `Bearer ${who.token}` }),
      ...(sendsJson && { 'content-type': 'application/json' }),
      ...(sendsForm && { 'content-type': 'multipart/form-data; boundary=x' }),
    },
    ...(sendsForm && { payload: FORM }),
    ...(sendsJson && { payload: JSON.stringify(body ?? {}) }),
  })
}

/** A body that the schema takes, or undefined where none was found here. */
function fitting(e: Endpoint): unknown {
  const known: Record<string, unknown> = {
    'POST /api/campaigns/:id/test': { to: 'ada@example.com' },
    'POST /api/campaigns/:id/retry': { states: ['failed'] },
    'POST /api/campaigns/:id/to-list': { name: 'Readers' },
    'POST /api/campaigns/:id/resend': { subject: 'Again', to: 'no_response' },
    'POST /api/collector/jobs/:id/to-list': { listId: '1' },
    'POST /api/whatsapp/conversations/:id/messages': { message: { kind: 'note', text: 'x' } },
    'POST /api/senders/:id/test': { to: 'ada@example.com' },
    'POST /api/senders/:id/ramp-plan': { days: 14 },
    'PATCH /api/bounce-sources/:id': { name: 'Another' },
    'POST /api/sending-domains/:id/loopback': { senderId: '1' },
    'POST /api/contacts/:id/merge': { otherId: '1' },
    'POST /api/contacts/:id/unmerge': { mergeId: '1' },
    'POST /api/journeys/:id/enrol': { contactIds: ['1'] },
    'POST /api/journeys/:id/test': { stepId: 'hello', to: 'ada@example.com' },
    'POST /api/journeys/:id/simulate': { contactId: '1' },
    'POST /api/journeys/:id/replay': { days: 1 },
    'PATCH /api/blocks/:id': { name: 'Another' },
    'PATCH /api/templates/:id/versions/:versionId': { label: 'Final' },
  }
  const body = known[`${e.method} ${e.path}`] ?? {}
  return e.body?.safeParse(body).success ? body : undefined
}

const guarded = endpoints.filter(({ e }) => e.access !== 'public')

test.each(guarded)('access: $title returns 401 without a token and with a forged one', async ({ e }) => {
  const response = await call(e, undefined)
  expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, 'Bearer'])
  expect((await call(e, { ...owner, token: `${owner.token.slice(0, -4)}AAAA` })).statusCode).toBe(401)
})

test.each(guarded.filter(({ e }) => e.access === 'admin' || e.access === 'paid'))(
  'access: $title returns 403 to a user without the role or plan it needs',
  async ({ e }) => {
    const response = await call(e, free)
    expect([response.statusCode, response.json().code]).toEqual([
      403,
      e.access === 'admin' ? 'admin_required' : 'plan_required',
    ])
  },
)

const partlyPaid = endpoints.flatMap(({ title, e }) =>
  Object.entries(e.paidIf ?? {}).flatMap(([field, values]) => values.map((value) => ({ title, e, field, value }))),
)
test.each(partlyPaid)('access: $title with $field $value requires a paid plan', async ({ e, field, value }) => {
  const response = await call(e, free, { [field]: value })
  expect([response.statusCode, response.json().code]).toEqual([403, 'plan_required'])
  expect((await call(e, other, { [field]: value })).statusCode).not.toBe(403)
})

test.each(guarded.filter(({ e }) => e.path.includes(':') && !isShared(e) && e.method !== 'PUT'))(
  'access: $title returns 404 for an id of another workspace',
  async ({ e }) => {
    const body = fitting(e)
    if (e.body && body === undefined) throw new Error(`give ${e.method} ${e.path} a body in fitting()`)
    for (const stranger of [other, admin])
      expect((await call(e, stranger, body)).statusCode, `${e.method} ${pathFor(e)}`).toBe(404)
  },
)

// Without this the test above would pass on ids that exist nowhere.
const READABLE = /^\/api\/(whatsapp\/)?[\w-]+(?:\/jobs)?\/:id$/
test.each(endpoints.filter(({ e }) => e.method === 'GET' && READABLE.test(e.path) && !isShared(e)))(
  'access: $title returns 200 to the owner of the id',
  async ({ e }) => {
    expect((await call(e, owner)).statusCode).toBe(200)
  },
)

test.each(endpoints.filter(({ e }) => e.body !== undefined))('access: $title refuses unknown keys', async ({ e }) => {
  const who = e.access === 'admin' ? admin : e.access === 'public' ? undefined : owner
  const response = await call(e, who, UNKNOWN)
  // Signing in fails in plain text, whatever the reason.
  expect(response.statusCode).toBe(400)
  expect(response.body).toContain('not a field')
})

test.each(endpoints.filter(({ e }) => e.transport !== 'events'))(
  'access: $title never returns a 5xx, and personal responses are not cached',
  async ({ e }) => {
    // What ends a session or empties the sandbox would spoil the callers for the rest.
    if (e.path === '/api/auth/logout' || (e.method === 'DELETE' && e.path.startsWith('/api/account'))) return
    for (const who of [undefined, free, other, admin]) {
      const response = await call(e, who, UNKNOWN)
      expect(response.statusCode, `${e.method} ${e.path}: ${response.body.slice(0, 200)}`).toBeLessThan(500)
      if (who || e.access !== 'public' || e.path.startsWith('/api/auth/'))
        expect(response.headers['cache-control'], `${e.method} ${e.path}`).toBe('no-store')
      // Posts are the same for everybody.
      else if (e.method === 'GET' && e.path.startsWith('/api/blog/'))
        expect(response.headers['cache-control']).toBeUndefined()
    }
  },
)
