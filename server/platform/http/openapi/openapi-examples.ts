import { EXAMPLE_VALUES } from './openapi-example-values.ts'
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

/** Texts that fit the format of a schema. */
const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-01-15T09:30:00Z',
  date: '2026-01-15',
  email: 'ada@example.com',
  binary: '(the bytes of the file)',
}

/** Stands where nothing is known of a text but that it is one. */
export const FILLER = 'Some text'
/** Texts for patterns of fields without a value of their own. */
const BY_PATTERN = ['1042', '#3b49df', '0', '09:00', 'en', FILLER, '', 'A text that is long enough for its field']

function fitsText(schema: JsonSchema, value: string): boolean {
  const pattern =
    typeof schema.pattern === 'string' && !isOpenPattern(schema.pattern) ? new RegExp(schema.pattern, 'u') : undefined
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema as { minLength?: number; maxLength?: number }
  return value.length >= minLength && value.length <= maxLength && (pattern?.test(value) ?? true)
}

function fitsNumber(schema: JsonSchema, value: number): boolean {
  const {
    minimum = Number.NEGATIVE_INFINITY,
    maximum = Number.POSITIVE_INFINITY,
    exclusiveMinimum = Number.NEGATIVE_INFINITY,
  } = schema as Record<string, number | undefined>
  const isWhole = schema.type !== 'integer' || Number.isInteger(value)
  return isWhole && value >= minimum && value <= maximum && value > exclusiveMinimum
}

/** Whether a schema of one plain value takes it. */
function fits(schema: JsonSchema, value: unknown): boolean {
  if (schema.enum) return schema.enum.includes(value)
  const [type] = [schema.type].flat()
  if (typeof value === 'string') return type === 'string' && schema.format !== 'binary' && fitsText(schema, value)
  if (typeof value === 'number') return (type === 'number' || type === 'integer') && fitsNumber(schema, value)
  return [schema.type].flat().includes(value === null ? 'null' : typeof value)
}

/** Where a value stands: the name of its field, and that of the object or the endpoint's noun around it. */
export interface ExamplePlace {
  name?: string
  parent?: string
}

const findValues = ({ name = '', parent = '' }: ExamplePlace): unknown[] =>
  [EXAMPLE_VALUES[`${parent}.${name}`], EXAMPLE_VALUES[name]].flat().filter((value) => value !== undefined)

function number(schema: JsonSchema): number {
  const { minimum, maximum, exclusiveMinimum } = schema as Record<string, number | undefined>
  const least = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1)
  return Math.min(Math.max(least, Math.min(1, maximum ?? 1)), maximum ?? Number.MAX_SAFE_INTEGER)
}

function text(schema: JsonSchema): string {
  const hasPattern = typeof schema.pattern === 'string' && !isOpenPattern(schema.pattern)
  return (hasPattern ? BY_PATTERN : BY_PATTERN.slice(-3)).find((one) => fitsText(schema, one)) ?? 'text'
}

function object({ properties = {}, required }: JsonSchema, { name, parent }: ExamplePlace): Record<string, unknown> {
  const names = required?.length ? required : Object.keys(properties).slice(0, 1)
  // What a list or a request wraps belongs to the endpoint.
  const outer = name === undefined || name === 'items' ? parent : name
  return Object.fromEntries(
    names.map((key) => [key, buildExample(properties[key] ?? {}, { name: key, ...(outer && { parent: outer }) })]),
  )
}

/** A value that a schema takes: what must be there, and nothing else. */
export function buildExample(schema: JsonSchema, place: ExamplePlace = {}): unknown {
  if (schema.examples) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  const options = schema.anyOf ?? schema.oneOf
  const isPlain = !schema.properties && !options
  const values = findValues(place)
  // Beside properties it only says which of them have to be there.
  if (options && !schema.properties)
    return values[0] === null && options.some(({ type }) => type === 'null')
      ? null
      : buildExample(options[0] ?? {}, place)
  if (schema.allOf)
    return buildExample(Object.assign({}, schema, ...schema.allOf, { allOf: undefined }) as JsonSchema, place)
  const value = isPlain ? values.find((one) => fits(schema, one)) : undefined
  if (value !== undefined) return value
  if (schema.enum) return schema.enum[0]
  if (schema.format && BY_FORMAT[schema.format]) return BY_FORMAT[schema.format]
  return buildByType(schema, place)
}

function buildByType(schema: JsonSchema, place: ExamplePlace): unknown {
  const [type] = [schema.type].flat()
  if (type === 'object' || schema.properties) return object(schema, place)
  if (schema.prefixItems) return schema.prefixItems.map((item) => buildExample(item, place))
  if (type === 'array' || schema.items)
    return schema.items && schema.maxItems !== 0 ? [buildExample(schema.items, place)] : []
  if (type === 'boolean') return true
  if (type === 'null') return null
  if (type === 'number' || type === 'integer') return number(schema)
  return text(schema)
}
