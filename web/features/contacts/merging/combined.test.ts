import { expect, test } from 'vitest'
import type { Contact } from '#contracts/contacts/contacts.ts'
import { combineFields } from './combined.ts'

const contact = (given: Partial<Contact>) =>
  ({ email: null, phone: null, name: '', attributes: {}, ...given }) as Contact

test('merge: fields of both are shown, blank ones are not, and only two different values are a conflict', () => {
  const kept = contact({ email: 'a@example.com', name: 'Ann', attributes: { city: 'Bonn', age: 4, note: null } })
  const other = contact({ email: 'b@example.com', attributes: { city: 'Bonn', plan: 'Gold' } })
  expect(combineFields(kept, other)).toEqual([
    { field: 'email', kept: 'a@example.com', other: 'b@example.com', isConflict: true },
    { field: 'name', kept: 'Ann', other: '', isConflict: false },
    { field: 'attributes.city', kept: 'Bonn', other: 'Bonn', isConflict: false },
    { field: 'attributes.age', kept: '4', other: '', isConflict: false },
    { field: 'attributes.plan', kept: '', other: 'Gold', isConflict: false },
  ])
})
