import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#contracts/endpoint.ts'
import { contract, titles } from '#contracts/index.ts'
import { openApi, templatePath } from './openapi.ts'

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
  // A chat of the sandbox is found by two numbers, and its media by what Meta's own API returned.
  expect(without).toEqual([
    'sandboxWhatsApp.messages',
    'sandboxWhatsApp.say',
    'sandboxWhatsApp.sendFile',
    'sandboxWhatsApp.media',
  ])
})

test('openapi: every tag has a title, and form fields have their own names', () => {
  expect(document.tags?.map(({ name }) => name)).toEqual(Object.values(titles))
  const { schema } = findOperation(contract.blog.create).requestBody?.content['multipart/form-data'] ?? {}
  for (const name of Object.keys(schema?.properties ?? {})) expect(name).toMatch(/^\w+$/)
  expect(z.object({ required: z.array(z.string()) }).parse(schema).required).toEqual(['title', 'content'])
})
