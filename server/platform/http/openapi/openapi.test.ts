import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#contracts/endpoint.ts'
import { contract, titles } from '#contracts/index.ts'
import { Problem } from '#contracts/problem.ts'
import { openApi, templatePath } from './openapi.ts'
import { FILLER } from './openapi-examples.ts'
import { buildLinks } from './openapi-links.ts'

const document = openApi(contract, titles, { url: 'https://postlark.example', version: '1' })
const endpoints = Object.entries(contract).flatMap(([noun, all]) =>
  Object.entries(all).map(([name, e]) => ({ title: `${noun}.${name}`, e: e as Endpoint })),
)
const findOperation = (e: Endpoint) => {
  const operation = document.paths[templatePath(e)]?.[e.method.toLowerCase()]
  if (!operation) throw new Error(`${e.method} ${e.path} is not in the document`)
  return operation
}

test('openapi: the document passes an independent OpenAPI 3.1 validator', async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
  expect(result).toEqual({ valid: true })
})

test.each(endpoints)('openapi: $title has examples that match its schemas', ({ e }) => {
  const { parameters = [], requestBody, responses } = findOperation(e)
  const params = Object.fromEntries(parameters.filter((one) => one.in === 'path').map((one) => [one.name, one.example]))
  if (e.params) expect(e.params.safeParse(params).error).toBeUndefined()
  const json = requestBody?.content['application/json']
  if (e.body) expect(e.body.safeParse(json?.example).error).toBeUndefined()
  if (e.form) expect(requestBody?.content['multipart/form-data']?.example).toBeDefined()
  const [media] = Object.values(responses[e.status ?? 200]?.content ?? {})
  if (e.transport !== 'redirect') expect(media?.example).toBeDefined()
  if (e.response && e.transport === undefined) expect(e.response.safeParse(media?.example).error).toBeUndefined()
})

/** Cursors whose content only their own endpoint reads. */
const isOpaque = ({ description = '' }: { description?: string | undefined }) => description.includes('not documented')

test.each(endpoints.filter(({ e }) => e.query))('openapi: $title has examples of its query', ({ e }) => {
  const query = (findOperation(e).parameters ?? []).filter((one) => one.in === 'query')
  expect(query.filter((one) => one.example === undefined).map(({ name }) => name)).toEqual([])
  const examples = query.filter(({ schema }) => !isOpaque(schema)).map(({ name, example }) => [name, String(example)])
  expect(e.query?.safeParse(Object.fromEntries(examples)).error).toBeUndefined()
})

/** Fields that readers look up, whose examples say what they hold. */
const TELLING = [
  'token',
  'currency',
  'nextCursor',
  'timeZone',
  'subject',
  'html',
  'text',
  'error',
  'reason',
  'fileName',
]

function findFields(value: unknown): [name: string, value: unknown][] {
  if (Array.isArray(value)) return value.flatMap(findFields)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [[name, inner] as [string, unknown], ...findFields(inner)])
}

test('openapi: no filler stands for a field whose meaning is known', () => {
  const fields = endpoints.flatMap(({ e }) => {
    const { requestBody, responses } = findOperation(e)
    return [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.values(part?.content ?? {}).flatMap((media) => findFields(media.example)),
    )
  })
  for (const name of TELLING) {
    const values = fields.filter(([field]) => field === name).map(([, value]) => value)
    expect(values.length, name).toBeGreaterThan(0)
    expect(values, name).not.toContain(FILLER)
  }
})

test('openapi: each refusal has an example that is worded for its status', () => {
  const examples = document.components?.examples as Record<string, { value: unknown }>
  for (const { value } of Object.values(examples)) expect(Problem.safeParse(value).error).toBeUndefined()
  for (const { title, e } of endpoints) {
    for (const [status, { content = {} }] of Object.entries(findOperation(e).responses)) {
      if (Number(status) < 400) continue
      for (const [type, media] of Object.entries(content)) {
        const named = (media as { examples?: { refusal: { $ref: string } } }).examples?.refusal.$ref.split('/').at(-1)
        expect(type === 'text/plain' ? media.example : examples[named ?? ''], `${title} ${status}`).toBeDefined()
      }
    }
  }
})

test('openapi: an endpoint that creates an object links to the endpoints that take its id', () => {
  const responses = findOperation(contract.lists.create).responses as Record<
    string,
    { links?: Record<string, unknown> }
  >
  expect(responses[201]?.links).toMatchObject({
    'lists.get': { operationId: 'lists.get', parameters: { id: '$response.body#/id' } },
    'lists.remove': { operationId: 'lists.remove', parameters: { id: '$response.body#/id' } },
    'contacts.list': { operationId: 'contacts.list', parameters: { listId: '$response.body#/id' } },
    'campaigns.create': { operationId: 'campaigns.create', requestBody: { listIds: ['$response.body#/id'] } },
  })
})

test('openapi: every id that an operation takes comes by a link from an operation that gives it', () => {
  const linked = new Set(
    endpoints.flatMap(({ e }) =>
      Object.values(findOperation(e).responses).flatMap((response) =>
        Object.keys((response as { links?: object }).links ?? {}),
      ),
    ),
  )
  const without = endpoints
    .filter(({ title, e }) => /:\w+/.test(e.path) && !linked.has(title))
    .map(({ title }) => title)
  expect(without).toEqual([])
})

test('openapi: a chat of the sandbox links by both of its numbers', () => {
  const links = buildLinks(contract, contract.sandboxWhatsApp.chats)
  const parameters = { number: '$response.body#/items/0/number', person: '$response.body#/items/0/person' }
  expect(links).toMatchObject({
    'sandboxWhatsApp.messages': { parameters },
    'sandboxWhatsApp.say': { parameters },
    'sandboxWhatsApp.sendFile': { parameters },
  })
})

test('openapi: every tag has a title, and form fields have their own names', () => {
  expect(document.tags?.map(({ name }) => name)).toEqual(Object.values(titles))
  const { schema } = findOperation(contract.blog.create).requestBody?.content['multipart/form-data'] ?? {}
  for (const name of Object.keys(schema?.properties ?? {})) expect(name).toMatch(/^\w+$/)
  expect(z.object({ required: z.array(z.string()) }).parse(schema).required).toEqual(['title', 'content'])
})
