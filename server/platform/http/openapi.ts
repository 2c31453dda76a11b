import { z } from 'zod'
import type { Endpoint } from '#contracts/endpoint.ts'
import { Problem } from '#contracts/problem.ts'

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 takes it. */
export interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  description?: string
  format?: string
  [key: string]: unknown
}

interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  schema: JsonSchema
}

type Content = Record<string, { schema: JsonSchema }>

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, unknown>
}

type Contract = Record<string, Record<string, Endpoint>>

/** The nouns of the contract in words; a noun that is not here is shown by its name. */
const NOUNS: Record<string, string> = {
  accounts: 'Accounts',
  billing: 'Plans and payments',
  coupons: 'Coupons',
  lists: 'Lists',
  contacts: 'Contacts',
  imports: 'Imports',
  suppressions: 'Suppressions',
  templates: 'Templates',
  senders: 'Senders',
  campaigns: 'Campaigns',
  whatsapp: 'WhatsApp webhook',
  whatsappAccounts: 'WhatsApp numbers',
  whatsappTemplates: 'WhatsApp templates',
  whatsappOptIns: 'WhatsApp opt-ins',
  whatsappConversations: 'WhatsApp conversations',
  whatsappAutomations: 'WhatsApp automations',
  whatsappStats: 'WhatsApp figures',
  sandbox: 'Sandbox',
  sandboxWhatsApp: 'WhatsApp sandbox',
  system: 'This installation',
}
export const titleOf = (noun: string) => NOUNS[noun] ?? noun

/** Who may call, in words. */
export const ACCESS: Record<Endpoint['access'], string> = {
  public: 'Anybody',
  user: 'Signed in',
  paid: 'Signed in, on a paid plan',
  admin: 'Admins',
}

/** `io`: what a caller gives (before defaults) or what an answer holds. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, unrepresentable: 'any' })
  return rest as JsonSchema
}

function parameters(schema: z.ZodType | undefined, place: Parameter['in']): Parameter[] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

/** The parts of a form from the contract's words: `file: CSV or XLSX; listId; name, subject (optional)`. */
function formSchema(words: string): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const segment of words.split(';')) {
    const [names = '', ...text] = segment.replace('(optional)', '').split(':')
    const description = text.join(':').trim()
    for (const name of names.split(',').map((part) => part.trim())) {
      properties[name] = {
        ...(name === 'file' ? { type: 'string', contentMediaType: 'application/octet-stream' } : { type: 'string' }),
        ...(description && { description }),
      }
      if (!segment.includes('(optional)')) required.push(name)
    }
  }
  return { type: 'object', properties, required }
}

function requestBody(e: Endpoint): Operation['requestBody'] {
  if (!e.body && !e.multipart) return undefined
  const content: Content = {}
  if (e.body) content['application/json'] = { schema: jsonSchema(e.body, 'input') }
  if (e.multipart) content['multipart/form-data'] = { schema: formSchema(e.multipart) }
  return { required: !e.body?.safeParse(undefined).success, content }
}

function success(e: Endpoint): unknown {
  const schema = e.answer ? jsonSchema(e.answer, 'output') : { type: 'object' }
  if (e.transport === 'file') {
    return {
      description: 'A file',
      content: {
        'application/octet-stream': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } },
      },
    }
  }
  if (e.transport === 'redirect') return { description: 'A redirect for a browser to follow' }
  if (e.transport === 'events') {
    return {
      description: 'Server-sent events; the data of each is JSON of this shape',
      content: { 'text/event-stream': { schema } },
    }
  }
  return { description: 'Done', content: { 'application/json': { schema } } }
}

const problem = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

const REFUSALS: Record<number, string> = {
  400: 'Something given cannot be used; `details` names the field',
  401: 'No token, or one that no longer counts',
  403: '`admin_required` or `plan_required`',
  404: 'Not there, or another workspace’s',
  429: 'Too often; see Retry-After',
}

function responses(e: Endpoint): Record<string, unknown> {
  const isLogin = e.path === '/api/auth/login'
  const possible = [
    (e.body || e.query || e.multipart) && 400,
    e.access !== 'public' && 401,
    (e.access === 'paid' || e.access === 'admin' || e.paidIf) && 403,
    e.params && 404,
    e.path.startsWith('/api/auth/') && e.method === 'POST' && 429,
  ].filter((status): status is number => typeof status === 'number')
  const refusals = Object.fromEntries(possible.map((status) => [status, problem(REFUSALS[status] ?? '')]))
  const text = { description: 'The text says why', content: { 'text/plain': { schema: { type: 'string' } } } }
  return { [e.status ?? 200]: success(e), ...refusals, ...(isLogin && { 401: text, 429: text }) }
}

function operation(noun: string, name: string, e: Endpoint): Operation {
  const given = [...parameters(e.params, 'path'), ...parameters(e.query, 'query')]
  const body = requestBody(e)
  return {
    operationId: `${noun}.${name}`,
    tags: [titleOf(noun)],
    summary: e.summary,
    description: `For: ${ACCESS[e.access].toLowerCase()}.`,
    security: e.access === 'public' ? [] : [{ bearer: [] }],
    ...(given.length > 0 && { parameters: given }),
    ...(body && { requestBody: body }),
    responses: responses(e),
  }
}

/** OpenAPI 3.1 of every endpoint in the contract. Parameters in paths are `{name}`. */
export function openApi(contract: Contract, server: { url: string; version: string }) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [noun, endpoints] of Object.entries(contract)) {
    for (const [name, e] of Object.entries(endpoints)) {
      const path = e.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [e.method.toLowerCase()]: operation(noun, name, e) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Postlark',
      version: server.version,
      description:
        'Ids are strings, times are ISO 8601 in UTC. Lists page by `limit` and `cursor`. What belongs to another workspace answers 404.',
    },
    servers: [{ url: server.url }],
    tags: Object.keys(contract).map((noun) => ({ name: titleOf(noun) })),
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
      schemas: { Problem: jsonSchema(Problem, 'output') },
    },
  }
}

export type OpenApi = ReturnType<typeof openApi>
