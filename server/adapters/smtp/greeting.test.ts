import { expect, test } from 'vitest'
import { greet } from './greeting.ts'

test('greeting: an email begins with the first name, and without one where there is none', () => {
  expect(['Ada Lovelace', ' Ada ', '', '  '].map(greet)).toEqual(['Hi Ada,', 'Hi Ada,', 'Hi,', 'Hi,'])
  expect(greet('x'.repeat(80))).toBe(`Hi ${'x'.repeat(40)},`)
})
