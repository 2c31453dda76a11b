import fc from 'fast-check'
import { expect, test } from 'vitest'
import { combine, findConflicts, part } from './combine.ts'

const text = fc.option(fc.constantFrom('', 'a', 'b'), { nil: null })
const fields = fc
  .record({
    email: fc.option(fc.constantFrom('a@x.example', 'b@x.example'), { nil: null }),
    phone: fc.option(fc.constantFrom('+4930', '+4931'), { nil: null }),
    bsuid: fc.option(fc.constantFrom('DE.1', 'DE.2'), { nil: null }),
    name: fc.constantFrom('', 'Ann', 'Ben'),
    attributes: fc.dictionary(fc.constantFrom('city', 'plan', 'constructor'), text),
  })
  .map((one) => ({ ...one, emailKey: one.email }))

// A blank value and none are the same thing to everybody who reads it.
const filled = <T extends { attributes: Record<string, unknown> }>(one: T): T => ({
  ...one,
  attributes: Object.fromEntries(Object.entries(one.attributes).filter(([, value]) => value)),
})

test('merge: nothing that stays is changed, and what it lacks comes from the other', () => {
  fc.assert(
    fc.property(fields.map(filled), fields.map(filled), (kept, other) => {
      const both = combine(kept, other)
      for (const key of ['email', 'phone', 'bsuid', 'name'] as const) expect(both[key]).toBe(kept[key] || other[key])
      expect(both.attributes).toEqual({ ...other.attributes, ...kept.attributes })
      for (const { field, kept: stays } of findConflicts(kept, other))
        if (!field.startsWith('attributes.')) expect(both[field as 'name']).toBe(stays)
    }),
  )
})

test('merge: undone at once it leaves the contact as it was, and undone later what was changed since', () => {
  fc.assert(
    fc.property(fields.map(filled), fields.map(filled), (before, other) => {
      expect(part(combine(before, other), before, other)).toEqual(before)
      const changed = { ...combine(before, other), name: 'Changed since' }
      expect(part(changed, before, other).name).toBe('Changed since')
    }),
  )
})
