import { expect, test } from 'vitest'
import { z } from 'zod'
import { findProblems, labelField, toSentence } from './invalid-input.ts'

/** What people read of an input that its schema refuses. */
function describe(schema: z.ZodType, input: unknown): string[] {
  const { error } = schema.safeParse(input)
  if (!error) return []
  return findProblems(error, input).map(({ field, message }) => toSentence(labelField(field || 'body'), message))
}
const describeName = (schema: z.ZodType, name: unknown) => describe(z.object({ name: schema }), { name })[0]

test.each<[string, z.ZodType, unknown, string]>([
  ['a missing value', z.string(), undefined, 'Name is required.'],
  ['an empty text', z.string().min(1), '', 'Name is required.'],
  ['an empty text of a format', z.email(), '', 'Name is required.'],
  ['an empty text of a list of values', z.enum(['month', 'year']), '', 'Name is required.'],
  ['a missing variant', z.union([z.string(), z.number()]), undefined, 'Name is required.'],
  ['a text that is too long', z.string().max(5_000), 'x'.repeat(5_001), 'Name is too long: at most 5,000 characters.'],
  ['a text that is too short', z.string().min(10), 'x', 'Name is too short: at least 10 characters.'],
  ['a text of another length', z.string().length(6), 'x', 'Name must have exactly 6 characters.'],
  ['a number for a text', z.string(), 1, 'Name must be text.'],
  ['a text for a boolean', z.boolean(), 'x', 'Name must be true or false.'],
  ['a text for a list', z.array(z.string()), 'x', 'Name must be a list.'],
  ['a text for an object', z.object({}), 'x', 'Name must be an object.'],
  ['a text for a record', z.record(z.string(), z.string()), 'x', 'Name must be an object.'],
  ['a text for a date', z.date(), 'x', 'Name must be a date.'],
  ['a text for a type without a word', z.symbol(), 'x', 'Name has a value that is not accepted.'],
  ['a text for a number', z.number(), 'x', 'Name must be a number.'],
  ['a fraction for a whole number', z.number().int(), 1.5, 'Name must be a whole number.'],
  ['a number below its range', z.int().min(1).max(100), 0, 'Name must be a whole number from 1 to 100.'],
  [
    'a number above its range',
    z.coerce.number().int().min(1).max(100),
    '101',
    'Name must be a whole number from 1 to 100.',
  ],
  ['a text for a range', z.coerce.number().int().min(1).max(100), 'x', 'Name must be a whole number from 1 to 100.'],
  ['a number below its limit', z.number().min(0), -1, 'Name must be a number of at least 0.'],
  ['a number above its limit', z.number().max(1_000), 1_001, 'Name must be a number of at most 1,000.'],
  ['a number that must be positive', z.number().positive(), 0, 'Name must be a number greater than 0.'],
  ['a number that must be negative', z.number().negative(), 0, 'Name must be a number less than 0.'],
  ['a number of other steps', z.number().multipleOf(5), 7, 'Name must be a multiple of 5.'],
  ['an early date', z.date().min(new Date(0)), new Date(-1), 'Name must be at the earliest 1970-01-01T00:00:00.000Z.'],
  ['a late date', z.date().max(new Date(0)), new Date(1), 'Name must be at the latest 1970-01-01T00:00:00.000Z.'],
  ['an empty list', z.array(z.string()).min(1), [], 'Name must have at least 1 item.'],
  ['a long list', z.array(z.string()).max(2), ['a', 'b', 'c'], 'Name must have at most 2 items.'],
  ['a list of another length', z.array(z.string()).length(2), ['a'], 'Name must have exactly 2 items.'],
  ['a wrong email address', z.email(), 'x', 'Name must be an email address.'],
  ['a wrong URL', z.url(), 'x', 'Name must be a web address such as https://example.com.'],
  ['a wrong time', z.iso.datetime(), 'x', 'Name must be a time such as 2026-01-31T09:00:00Z.'],
  ['a wrong pattern', z.string().regex(/^a$/), 'x', 'Name has an invalid format.'],
  ['a wrong beginning', z.string().startsWith('/'), 'x', 'Name must start with “/”.'],
  ['a wrong end', z.string().endsWith('.csv'), 'x', 'Name must end with “.csv”.'],
  ['a text without a part', z.string().includes('@'), 'x', 'Name must contain “@”.'],
  ['a value that is not listed', z.enum(['month', 'year']), 'x', 'Name must be one of month, year.'],
  ['a wrong constant', z.literal('all'), 'x', 'Name must be all.'],
  ['no variant', z.union([z.string(), z.number()]), true, 'Name has a value that is not accepted.'],
  [
    'the only variant of its type',
    z.union([z.string().max(1), z.number()]),
    'xy',
    'Name is too long: at most 1 character.',
  ],
  ['a set of other items', z.set(z.string()), new Set([1]), 'Name must be text.'],
  ['a rule without words', z.string().refine(() => false), 'x', 'Name is invalid.'],
  ['a rule with its own words', z.string().refine(() => false, 'is reserved'), 'x', 'Name is reserved.'],
  ['a rule with a sentence', z.string().refine(() => false, 'Choose another one.'), 'x', 'Choose another one.'],
])('invalid input: %s is described in plain words', (_, schema, value, expected) => {
  expect(describeName(schema, value)).toBe(expected)
})

test('invalid input: every wrong field is named, at any depth', () => {
  const schema = z.strictObject({
    limits: z.strictObject({ perSecond: z.number() }),
    listIds: z.array(z.string().max(2)),
    attributes: z.record(z.string().max(3), z.string()),
    step: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('wait'), days: z.int() }),
      z.object({ kind: z.literal('send').optional() }),
    ]),
  })
  const input = {
    limits: { perSecond: 'x' },
    listIds: ['1', '123'],
    attributes: { abcd: '' },
    step: { kind: 'go' },
    a: 1,
    b: 2,
  }
  expect(describe(schema, input)).toEqual([
    'Limits per second must be a number.',
    'List IDs item 2 is too long: at most 2 characters.',
    'Attributes abcd has a name that is not accepted.',
    'Step kind must be one of wait, send.',
    'A is not a known field.',
    'B is not a known field.',
  ])
  expect(describe(schema, { ...input, step: { kind: 'wait' } })).toContain('Step days is required.')
  expect(describe(schema, [])).toEqual(['Body must be an object.'])
})

test('labels: names that objects of JavaScript have are names like any other', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
    expect(labelField(`${name}.is`)).toMatch(/^[\w ]+ operator$/)
  expect(labelField('constructor')).toBe('Constructor')
})
