import { expect, test } from 'vitest'
import { valuesFor } from './message.ts'

test('WhatsApp message: a first name is the stored one, as in emails, or else the first word of the name', () => {
  const variables = { 'body.1': { from: 'field' as const, field: 'first_name', fallback: 'there' } }
  const person = { name: 'Dr. Ada Lovelace', email: '', phone: null }
  const read = (attributes: Record<string, string>) => valuesFor(variables, { ...person, attributes })['body.1']
  const stored: Record<string, string>[] = [{ first_name: 'Ada' }, {}, { first_name: '' }, { first_name: ' ' }]
  expect(stored.map(read)).toEqual(['Ada', 'Dr.', 'Dr.', 'Dr.'])
  expect(valuesFor(variables, { ...person, name: '', attributes: {} })).toEqual({ 'body.1': 'there' })
})
