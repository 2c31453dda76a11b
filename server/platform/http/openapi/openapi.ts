import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiRequestBodyObject } from 'zod-openapi'
import { type Endpoint, IDEMPOTENCY_KEY } from '#contracts/endpoint.ts'
import { fileRule, formFields } from '#contracts/form-file.ts'
import { Problem } from '#contracts/problem.ts'
import { buildExample, type JsonSchema } from './openapi-examples.ts'
import { buildLinks } from './openapi-links.ts'
import { buildResponses, REFUSAL_EXAMPLES } from './openapi-responses.ts'
import { addTextRules } from './openapi-texts.ts'

/** An operation as the document holds it. */
export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; schema: JsonSchema; example?: unknown }[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example?: unknown }> }
  responses: Record<
    string,
    { description: string; content?: Record<string, { schema: JsonSchema; example?: unknown }> }
  >
}

/** The endpoints of the contract by noun and name. */
export type Contract = Record<string, Record<string, Endpoint>>

/** Who may call, in words. */
export const ACCESS: Record<Endpoint['access'], string> = {
  public: 'Anybody',
  user: 'Signed in',
  paid: 'Signed in, on a paid plan',
  admin: 'Admins',
}

/** The path of an endpoint as the document writes it: parameters are `{name}`. */
export const templatePath = (e: Endpoint) => e.path.replace(/:(\w+)/g, '{$1}')

/** The content types a file of a form may have, where it is not any. */
function buildEncoding(form: z.ZodType) {
  const typed = Object.entries(formFields(form)).flatMap(([name, field]) => {
    const max = fileRule(field)?.max
    return max && typeof max !== 'number' ? [[name, { contentType: Object.keys(max).join(', ') }] as const] : []
  })
  return typed.length > 0 ? { encoding: Object.fromEntries(typed) } : {}
}

function requestBody(e: Endpoint): ZodOpenApiRequestBodyObject | undefined {
  if (!e.body && !e.form) return undefined
  return {
    required: !e.body?.safeParse(undefined).success,
    content: {
      ...(e.body && { 'application/json': { schema: e.body } }),
      ...(e.form && { 'multipart/form-data': { schema: e.form, ...buildEncoding(e.form) } }),
    },
  }
}

const Idempotency = z.object({
  'Idempotency-Key': z
    .string()
    .regex(IDEMPOTENCY_KEY)
    .optional()
    .describe(
      'The same request with the same key has its effect once, and the same response. With another body it is refused (409).',
    ),
})

function operation(contract: Contract, titles: Record<string, string>, noun: string, name: string, e: Endpoint) {
  const body = requestBody(e)
  return {
    operationId: `${noun}.${name}`,
    tags: [titles[noun] ?? noun],
    summary: e.summary,
    description: [`For: ${ACCESS[e.access].toLowerCase()}.`, e.rules].filter(Boolean).join(' '),
    security: e.access === 'public' ? [] : [{ bearer: [] }],
    requestParams: {
      ...(e.params && { path: e.params as z.ZodObject }),
      ...(e.query && { query: e.query as z.ZodObject }),
      ...(e.isIdempotent && { header: Idempotency }),
    },
    ...(body && { requestBody: body }),
    responses: buildResponses(e, buildLinks(contract, e)),
  } satisfies ZodOpenApiOperationObject
}

/** Texts of files by their type; what is binary has none. */
const FILE_TEXTS: Record<string, string> = {
  'text/csv': 'email,name\r\nada@example.com,Ada Lovelace\r\n',
  'text/html': '<p>Hi {{ name }},</p>',
  'text/plain': '<mjml><mj-body></mj-body></mjml>',
  'text/event-stream': 'event: message\ndata: {}\n\n',
}

/** Examples for everything that is given and returned, so that a reader sees whole values. */
function addExamples(noun: string, one: Operation): void {
  for (const parameter of one.parameters ?? [])
    parameter.example = buildExample(parameter.schema, { name: parameter.name, parent: noun })
  const cursor = one.parameters?.find((parameter) => parameter.name === 'cursor')?.example
  const contents = [one.requestBody, ...Object.values(one.responses)].flatMap((part) =>
    Object.entries(part?.content ?? {}),
  )
  for (const [type, media] of contents) {
    if ('$ref' in media.schema || media.example !== undefined) continue
    media.example = FILE_TEXTS[type] ?? buildExample(media.schema, { parent: noun })
    // The next page is asked for with it.
    if (cursor !== undefined && (media.example as { nextCursor?: unknown }).nextCursor)
      Object.assign(media.example as object, { nextCursor: String(cursor) })
  }
}

/** OpenAPI 3.1 of every endpoint in the contract. `titles` are the names of its tags. */
export function openApi(contract: Contract, titles: Record<string, string>, server: { url: string; version: string }) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const [noun, endpoints] of Object.entries(contract)) {
    for (const [name, e] of Object.entries(endpoints)) {
      const path = templatePath(e)
      paths[path] = { ...paths[path], [e.method.toLowerCase()]: operation(contract, titles, noun, name, e) }
    }
  }
  const info = {
    title: 'Postlark',
    version: server.version,
    description:
      'Ids are strings, times are ISO 8601 in UTC. Lists page by `limit` and `cursor`. An id in a body or a query that does not exist in the caller’s workspace is refused as an invalid value (400), or with 404 where that is listed. Resources of other workspaces are not found (404). During an outage of the database, and on a server that is too busy or restarts, any call may respond with 503 and Retry-After.',
  }
  const servers = [{ url: server.url }]
  const document = createDocument(
    {
      openapi: '3.1.0',
      info,
      servers,
      tags: Object.keys(contract).map((noun) => ({ name: titles[noun] ?? noun })),
      paths,
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'The token of POST /api/auth/login',
          },
        },
        schemas: { Problem },
        examples: REFUSAL_EXAMPLES,
      },
    },
    {
      allowEmptySchema: { custom: true, unknown: true, any: true, transform: true },
      override({ zodSchema, jsonSchema, io }) {
        if (io === 'input') addTextRules(zodSchema, jsonSchema)
        if (zodSchema._zod.def.type === 'custom' && fileRule(zodSchema))
          Object.assign(jsonSchema, { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' })
      },
    },
  )
  const operations = document.paths as unknown as Record<string, Record<string, Operation>>
  for (const one of Object.values(operations).flatMap((path) => Object.values(path)))
    addExamples(one.operationId.split('.')[0] ?? '', one)
  return { ...document, info, servers, paths: operations }
}

export type OpenApi = ReturnType<typeof openApi>
