import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import { contract } from '#contracts/index.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'
import { isLong } from '#server/testing/long.ts'
import { nastyTexts, valuesFor } from './fuzz-values.fixture.ts'

let t: TestApp
let admin: Person
beforeAll(async () => {
  t = await testApp()
  admin = await t.person({ role: 'admin' })
})
afterAll(() => t[Symbol.asyncDispose]())

// A stream does not end by itself, and emptying or leaving would spoil the rest.
const endpoints = Object.values(contract)
  .flatMap((noun): Endpoint[] => Object.values(noun))
  .filter(
    (e) =>
      e.transport !== 'events' &&
      e.path !== '/api/auth/logout' &&
      !e.path.startsWith('/api/auth/') &&
      !e.path.startsWith('/api/account'),
  )

const nasty = fc.oneof(fc.constantFrom(...nastyTexts), fc.string({ unit: 'binary', maxLength: 40 }))
const value = fc.oneof(
  nasty,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(nasty, { maxLength: 3 }),
  fc.dictionary(fc.string({ maxLength: 8 }), nasty, { maxKeys: 3 }),
)
const keys = fc.constantFrom(
  'name',
  'email',
  'phone',
  'attributes',
  'lists',
  'tags',
  'filter',
  'op',
  'items',
  'field',
  'is',
  'value',
  'listIds',
  'subject',
  'html',
  'mjml',
  'host',
  'port',
  'secure',
  'limits',
  'fromEmail',
  'to',
  'at',
  'timeZone',
  'states',
  'address',
  'contactId',
  'optin',
  '__proto__',
  'constructor',
)

const anyBody = fc.dictionary(keys, value, { maxKeys: 5 })

/** A request of an endpoint: what its schemas describe, nearly, or anything. */
const requests = fc.constantFrom(...endpoints).chain((e) =>
  fc.record({
    e: fc.constant(e),
    // Some of these are there: what other requests made.
    pieces: fc.array(fc.oneof(fc.constantFrom('1', '2', '3', '4'), nasty), { minLength: 3, maxLength: 3 }),
    query: e.query ? fc.oneof(valuesFor(e.query), anyBody) : fc.constant({}),
    body: e.method === 'GET' ? fc.constant(undefined) : e.body ? fc.oneof(valuesFor(e.body), anyBody) : anyBody,
  }),
)
const toText = (given: unknown) => (typeof given === 'string' ? given.toWellFormed() : (JSON.stringify(given) ?? ''))

test('api: random input to any endpoint gets no 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async ({ e, pieces, query, body }) => {
      let piece = 0
      const path = e.path.replace(/:(\w+)/g, () => encodeURIComponent(toText(pieces[piece++ % pieces.length])))
      const parts = Object.entries(query as object).map(([key, given]) => `${key}=${encodeURIComponent(toText(given))}`)
      const response = await t.inject({
        method: e.method,
        url: `${path}?${parts.join('&')}`,
        headers: {
          authorization: `Bearer ${admin.token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      })
      // A service that is away or a machine that is busy is said so, with a code.
      const isAway = [502, 503].includes(response.statusCode) && response.json().code !== 'internal'
      expect(
        isAway ? 0 : response.statusCode,
        `${e.method} ${path} ${JSON.stringify({ query, body })} -> ${response.body.slice(0, 200)}`,
      ).toBeLessThan(500)
    }),
    { numRuns: isLong ? 10_000 : 600, endOnFailure: true },
  )
}, 600_000)

test('api: malformed JSON is refused with 400 and a wrong content type with 415', async () => {
  const headers = { authorization: `Bearer ${admin.token}` }
  for (const [type, payload, status] of [
    ['application/json', '{"name":', 400],
    ['application/json', Buffer.from([0xff, 0xfe, 0x00, 0x7b]), 400],
    ['application/json', '{"__proto__":{"admin":true},"name":"x"}', 400],
    ['text/plain', 'name=x', 415],
    ['application/xml', '<name/>', 415],
  ] as const) {
    const response = await t.inject({
      method: 'POST',
      url: '/api/lists',
      headers: { ...headers, 'content-type': type },
      payload: payload as string,
    })
    expect([type, response.statusCode]).toEqual([type, status])
    expect(response.json()).toMatchObject({
      error: expect.any(String),
      message: expect.any(String),
      code: expect.any(String),
    })
  }
})
