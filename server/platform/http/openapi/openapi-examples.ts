import { isOpenPattern } from './openapi-texts.ts'

/** A JSON Schema (draft 2020-12), as OpenAPI 3.1 takes it. */
export interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  description?: string
  format?: string
  [key: string]: unknown
}

/** Values for fields whose schema is a pattern, by name. */
const BY_NAME: Record<string, unknown> = {
  email: 'ada@example.com',
  to: 'ada@example.com',
  fromEmail: 'news@example.com',
  address: 'ada@example.com',
  name: 'Ada Example',
  password: 'a long enough phrase',
  newPassword: 'a longer phrase than that',
  host: 'smtp.example.com',
  phone: '+4930123456',
  bsuid: 'US.13491208655302741918',
  url: 'https://example.com/',
  urls: 'https://example.com/',
  content: '<p>Some words</p>',
  slug: 'a-post',
  language: 'en_US',
  mapping: '{"Email":"email"}',
  consent: '',
  coverImage: '',
  code: 'SPRING25',
  clientId: '1234.apps.googleusercontent.com',
  appPassword: 'abcdabcdabcdabcd',
  country: 'DE',
  website: '',
  message: 'How do you count opens?',
  field: 'name',
  number: '15550001234',
  person: '447700900123',
}

/** Texts that fit the format of a schema. */
const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-01-15T09:30:00Z',
  date: '2026-01-15',
  email: 'ada@example.com',
  binary: '(the bytes of the file)',
}

function text(schema: JsonSchema, name: string): string {
  const pattern =
    typeof schema.pattern === 'string' && !isOpenPattern(schema.pattern) ? new RegExp(schema.pattern, 'u') : undefined
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema as { minLength?: number; maxLength?: number }
  const named = BY_NAME[name]
  const candidates = [
    ...(typeof named === 'string' ? [named] : []),
    ...[
      '1',
      'Newsletter',
      '#3b49df',
      '0',
      '12',
      '12345',
      '09:00',
      'en',
      '',
      'A text that is long enough for its field',
    ],
  ]
  const fits = (one: string) =>
    one.length >= minLength && one.length <= maxLength && (pattern === undefined || pattern.test(one))
  return candidates.find((one) => !(one === '1' && !/id$|^cursor$/i.test(name) && !pattern) && fits(one)) ?? 'text'
}

function number(schema: JsonSchema): number {
  const { minimum, maximum, exclusiveMinimum } = schema as Record<string, number | undefined>
  const least = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1)
  return Math.min(Math.max(least, Math.min(1, maximum ?? 1)), maximum ?? Number.MAX_SAFE_INTEGER)
}

function object({ properties = {}, required }: JsonSchema): Record<string, unknown> {
  const names = required?.length ? required : Object.keys(properties).slice(0, 1)
  return Object.fromEntries(names.map((key) => [key, buildExample(properties[key] ?? {}, key)]))
}

/** A value that a schema takes: what must be there, and nothing else. `name` is that of its field. */
export function buildExample(schema: JsonSchema, name = ''): unknown {
  if (schema.examples) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  // Beside properties it only says which of them have to be there.
  const one = schema.properties ? undefined : (schema.anyOf?.[0] ?? schema.oneOf?.[0])
  if (one) return buildExample(one, name)
  if (schema.allOf) return buildExample(Object.assign({}, ...schema.allOf) as JsonSchema, name)
  if (schema.format && BY_FORMAT[schema.format]) return BY_FORMAT[schema.format]
  const [type] = [schema.type].flat()
  if (type === 'object' || schema.properties) return object(schema)
  if (schema.prefixItems) return schema.prefixItems.map((item) => buildExample(item, name))
  if (type === 'array' || schema.items)
    return schema.items && schema.maxItems !== 0 ? [buildExample(schema.items, name)] : []
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'number' || type === 'integer') return number(schema)
  return text(schema, name)
}
