/** Values that fit a schema, or nearly: random input that gets past the validation, to the rules and statements behind it. */
import fc from 'fast-check'
import { z } from 'zod'

type JsonSchema = z.core.JSONSchema.JSONSchema

/** Texts that break naive code: control characters, lone surrogates, formats, times at the edge of calendars, huge numbers. */
export const nastyTexts = [
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
  '__proto__',
  '(',
  '2026-02-31',
  '0000-01-01T00:00:00Z',
  'x'.repeat(300),
]
const byFormat: Record<string, string[]> = {
  'date-time': ['2026-11-27T10:00:00Z', '0001-01-01T00:00:00Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00'],
  date: ['2024-02-29', '0001-01-01', '9999-12-31'],
  email: ['ada@example.com', 'a@b.co', 'ü@example.com'],
}
const ordinary = ['a', 'Ada', 'ada@example.com', 'https://example.com/', 'Europe/Berlin', '+491701234567', '1', '2']
const numbers = [0, 1, -1, 7, 65_535, 2 ** 31, 2 ** 53 - 1, -(2 ** 53), 0.5, 1e308, 5e-324]
/** Deeper in a schema that names itself only what must be there is made. */
const DEPTH = 6

const cut = (text: string, { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: JsonSchema) =>
  text.slice(0, maxLength).padEnd(minLength, 'a')

function texts(schema: JsonSchema): fc.Arbitrary<unknown> {
  const fitting = byFormat[schema.format ?? ''] ?? ordinary
  return fc.oneof(fc.constantFrom(...fitting), fc.constantFrom(...nastyTexts)).map((text) => cut(text, schema))
}

function numbersIn({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): fc.Arbitrary<unknown> {
  const low = Math.max(
    Number(minimum ?? Number.NEGATIVE_INFINITY),
    Number(exclusiveMinimum ?? Number.NEGATIVE_INFINITY),
  )
  const high = Math.min(
    Number(maximum ?? Number.POSITIVE_INFINITY),
    Number(exclusiveMaximum ?? Number.POSITIVE_INFINITY),
  )
  const edges = [low, high].filter(Number.isFinite)
  const fitting = [...numbers, ...edges].filter(
    (n) => n >= low && n <= high && (type !== 'integer' || Number.isInteger(n)),
  )
  return fc.constantFrom(...(fitting.length > 0 ? fitting : [0]))
}

function objects(schema: JsonSchema, root: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const required = schema.required ?? []
  const names = Object.keys(schema.properties ?? {}).filter((name) => depth < DEPTH || required.includes(name))
  const model = Object.fromEntries(
    names.map((name) => [name, valuesIn(schema.properties?.[name] as JsonSchema, root, depth + 1)]),
  )
  const known = fc.record(model, { requiredKeys: names.filter((name) => required.includes(name)) })
  if (typeof schema.additionalProperties !== 'object') return known
  const others = fc.dictionary(
    fc.constantFrom('plan', 'a b', 'constructor', 'x'.repeat(60)),
    valuesIn(schema.additionalProperties, root, depth + 1),
    { maxKeys: 2 },
  )
  return fc.tuple(others, known).map(([some, own]) => ({ ...some, ...own }))
}

function valuesIn(schema: JsonSchema, root: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return valuesIn(schema.$ref === '#' ? root : (root.$defs?.[name] as JsonSchema), root, depth + 1)
  }
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (choices) {
    const ends = choices.filter((choice) => !JSON.stringify(choice).includes('$ref'))
    return fc.oneof(...(depth > DEPTH && ends.length > 0 ? ends : choices).map((one) => valuesIn(one, root, depth + 1)))
  }
  switch (schema.type) {
    case 'object':
      return objects(schema, root, depth)
    case 'array':
      return fc.array(valuesIn((schema.items ?? {}) as JsonSchema, root, depth + 1), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, depth > DEPTH ? 0 : 3)),
      })
    case 'string':
      return texts(schema)
    case 'integer':
    case 'number':
      return numbersIn(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.oneof(fc.constantFrom(...nastyTexts), fc.constantFrom(...numbers), fc.constantFrom(true, null, [], {}))
  }
}

const made = new WeakMap<z.ZodType, fc.Arbitrary<unknown>>()

/** Values of the shape of a schema. What a shape cannot say (patterns, rules) they meet by chance alone. */
export function valuesFor(schema: z.ZodType): fc.Arbitrary<unknown> {
  let values = made.get(schema)
  if (!values) {
    const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
    values = valuesIn(shape, shape, 0)
    made.set(schema, values)
  }
  return values
}
