import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import { contract } from '#contracts/index.ts'
import { type Person, type TestApp, testApp } from '#server/testing/app.ts'

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

/** Strings that break naive code: control characters, lone surrogates, formats, huge numbers. */
const nasty = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1',
    '9223372036854775807',
    '9223372036854775808',
    '1e309',
    '\u0000',
    '\r\nBcc: x@example.com',
    '\ud800',
    '{{',
    '{% for i in (1..99999999) %}',
    '../../etc/passwd',
    "'; drop table users; --",
    '%',
    '%00',
    'null',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
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

test('api: random input to any endpoint gets no 5xx', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...endpoints),
      fc.dictionary(keys, value, { maxKeys: 5 }),
      fc.array(nasty, { minLength: 3, maxLength: 3 }),
      async (e, body, pieces) => {
        const path = e.path.replace(/:(\w+)/g, () => encodeURIComponent((pieces[0] ?? '').toWellFormed()))
        const query = `?limit=${encodeURIComponent((pieces[1] ?? '').toWellFormed())}&cursor=${encodeURIComponent((pieces[2] ?? '').toWellFormed())}`
        const response = await t.inject({
          method: e.method,
          url: path + (e.method === 'GET' ? query : ''),
          headers: {
            authorization: `Bearer ${admin.token}`,
            ...(e.method !== 'GET' && { 'content-type': 'application/json' }),
          },
          ...(e.method !== 'GET' && { payload: JSON.stringify(body) }),
        })
        expect(
          response.statusCode,
          `${e.method} ${path} ${JSON.stringify(body)} -> ${response.body.slice(0, 200)}`,
        ).toBeLessThan(500)
      },
    ),
    { numRuns: 600, endOnFailure: true },
  )
}, 120_000)

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
