import { once } from 'node:events'
import { connect } from 'node:net'
import multipart from '@fastify/multipart'
import fc from 'fast-check'
import Fastify, { type FastifyInstance } from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import { contract } from '#contracts/index.ts'
import { type Person, sharedApp, type TestApp } from '#server/testing/app.ts'
import { handleErrors } from './errors.ts'
import { findTextProblem } from './input-text.ts'

let t: TestApp
let admin: Person
beforeAll(async () => {
  t = await sharedApp()
  admin = await t.person({ role: 'admin' })
})

async function post(url: string, type: string, payload: string | Buffer, method: Endpoint['method'] = 'POST') {
  const headers = { authorization: `Bearer ${admin.token}`, 'content-type': type }
  const response = await t.inject({ method, url, headers, payload })
  return {
    status: response.statusCode,
    code: response.headers['content-type']?.includes('json') && response.json().code,
    answer: response,
  }
}

test.each([
  ['/api/lists', '{"name":', '['.repeat(100_000), ']'.repeat(100_000), '}'],
  ['/api/contacts', '{"email":"a@example.com","attributes":', '{"a":'.repeat(50_000), `1${'}'.repeat(50_000)}`, '}'],
  ['/api/auth/forgot-password', '', '['.repeat(100_000), ']'.repeat(100_000), ''],
])('input: deeply nested JSON to %s is refused with 400', async (url, before, open, close, after) => {
  const { status, answer: response } = await post(url, 'application/json', before + open + close + after)
  expect(status).toBe(400)
  expect(response.json()).toMatchObject({ code: 'invalid', details: [{ message: 'is nested too deeply' }] })
})

test('input: deeply nested JSON to the login is refused with 400', async () => {
  const body = `{"email":${'['.repeat(100_000)}${']'.repeat(100_000)},"password":"x"}`
  expect((await post('/api/auth/login', 'application/json', body)).status).toBe(400)
})

test.each([
  ['an attribute', '{"email":"s@example.com","attributes":{"k":"\\ud800"}}', 'attributes.k'],
  ['the name of an attribute', '{"email":"s@example.com","attributes":{"\\udfff":"v"}}', 'attributes.\ufffd'],
  ['a name', '{"email":"s@example.com","name":"a\\ud83d"}', 'name'],
  ['NUL in a name', '{"email":"s@example.com","name":"a\\u0000"}', 'name'],
])('input: a character that cannot be stored in %s is refused with the name of the field', async (_, body, field) => {
  const { status, answer: response } = await post('/api/contacts', 'application/json', body)
  expect([status, response.json().details]).toEqual([
    400,
    [{ field, message: 'contains a character that cannot be stored' }],
  ])
})

test('input: text is refused exactly when UTF-8 or PostgreSQL cannot store it, at any depth', () => {
  const text = fc.string({ unit: 'binary', maxLength: 6 })
  const tree = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(text, tie('node'), { maxKeys: 3 }),
    ),
  })).node
  const broken = (value: unknown): boolean => {
    if (typeof value === 'string') return value.includes('\u0000') || Buffer.from(value).toString() !== value
    if (value === null || typeof value !== 'object') return false
    return Object.entries(value).some(([key, item]) => broken(key) || broken(item))
  }
  fc.assert(
    fc.property(tree, (value) => {
      expect(findTextProblem(value) !== undefined).toBe(broken(value))
    }),
    { numRuns: 60 },
  )
})

const forms = Object.values(contract)
  .flatMap((noun): Endpoint[] => Object.values(noun))
  .filter((e) => e.form !== undefined)

const part = (headers: string, content: string) => `--b\r\n${headers}\r\n\r\n${content}`
const FILE = 'Content-Disposition: form-data; name="file"; filename="f.csv"\r\nContent-Type: text/csv'
const brokenForms: [string, string, string][] = [
  ['no boundary', 'multipart/form-data', `${part(FILE, 'a')}\r\n--b--\r\n`],
  ['an empty boundary', 'multipart/form-data; boundary=', `${part(FILE, 'a')}\r\n--b--\r\n`],
  ['a boundary of 300 characters', `multipart/form-data; boundary=${'b'.repeat(300)}`, 'a'],
  ['a file that ends in the middle', 'multipart/form-data; boundary=b', part(FILE, 'email\na@exam')],
  [
    'an image that ends in the middle',
    'multipart/form-data; boundary=b',
    part(FILE.replace('"file"', '"image"'), 'PNG'),
  ],
  ['headers that end in the middle', 'multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-da'],
  [
    'a field that ends in the middle',
    'multipart/form-data; boundary=b',
    part('Content-Disposition: form-data; name="name"', 'x'),
  ],
  [
    'a part without a name',
    'multipart/form-data; boundary=b',
    `${part('Content-Disposition: form-data', 'x')}\r\n--b--\r\n`,
  ],
  [
    'a file without a name',
    'multipart/form-data; boundary=b',
    `${part('Content-Disposition: form-data; filename="x"', 'x')}\r\n--b--\r\n`,
  ],
  ['a part without headers', 'multipart/form-data; boundary=b', '--b\r\n\r\nx\r\n--b--\r\n'],
  ['no parts', 'multipart/form-data; boundary=b', '--b--\r\n'],
  ['nothing', 'multipart/form-data; boundary=b', ''],
  [
    'JSON in a field that is none',
    'multipart/form-data; boundary=b',
    `${part('Content-Disposition: form-data; name="name"\r\nContent-Type: application/json', '{')}\r\n--b--\r\n`,
  ],
]

test.each(forms.map((e) => [`${e.method} ${e.path}`, e] as const))(
  'input: broken multipart forms to %s are refused with 4xx and cause no 5xx',
  async (_, e) => {
    const url = e.path.replace(/:\w+/g, '1')
    for (const [what, type, payload] of brokenForms) {
      const { status, answer: response } = await post(url, type, payload, e.method)
      expect([what, status >= 303 && status < 500, response.body]).toEqual([what, true, response.body])
    }
  },
)

/** An app that reads a form as every upload does, with its log. */
async function uploadApp() {
  const lines: { level: number; msg: string }[] = []
  const app = Fastify({ logger: { level: 'debug', stream: { write: (line: string) => lines.push(JSON.parse(line)) } } })
  handleErrors(app as unknown as FastifyInstance)
  const ended = new Promise<void>((resolve) => app.addHook('onError', async () => resolve()))
  await app.register(multipart)
  app.post('/parts', async (request) => {
    for await (const part of request.parts())
      if (part.type === 'file') for await (const _ of part.file) app.server.emit('chunk')
    return 'whole'
  })
  app.post('/buffer', async (request) => {
    app.server.emit('chunk')
    return (await (await request.file())?.toBuffer())?.length
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, lines, ended, port: (app.server.address() as { port: number }).port }
}

test.each(['/parts', '/buffer'])(
  'input: a client that disconnects during an upload to %s logs no warning or error',
  async (path) => {
    const { app, lines, ended, port } = await uploadApp()
    const chunk = once(app.server, 'chunk')
    const socket = connect(port, '127.0.0.1')
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n`
    socket.write(head + part(FILE, 'email\r\n'.repeat(1000)))
    await chunk
    socket.destroy()
    await ended
    await app.close()
    expect(lines.filter(({ level }) => level >= 40)).toEqual([])
  },
)
