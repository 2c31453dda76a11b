import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type FourLengths,
  formatFour,
  formatLength,
  parseFour,
  parseLength,
  readPadding,
  toHex,
  writePadding,
} from './css-values.ts'

const length = fc.record({ value: fc.integer({ min: 1, max: 600 }), unit: fc.constantFrom('px', '%', 'em') })
const four = fc.tuple(length, length, length, length) as fc.Arbitrary<FourLengths>

test.each(['28px 24px 20px', '10px 25px', '0', '0 0 28px', '12px 12px 0 0', '4px 24px 40px 8px', '1.5em 50%'])(
  'values: %s is written again as it was read',
  (text) => {
    expect(formatFour(parseFour(text) as FourLengths)).toBe(text)
  },
)

test('values: any four lengths are the same after they are written and read', () => {
  fc.assert(
    fc.property(four, (sides) => {
      expect(parseFour(formatFour(sides))).toEqual(sides)
    }),
  )
})

test('values: a length is written again as it was read, and anything else is left alone', () => {
  fc.assert(
    fc.property(length, (one) => {
      expect(parseLength(formatLength(one as never))).toEqual(one)
    }),
  )
  for (const text of ['', 'auto', '12', '10px 5px', 'calc(1px + 2px)', '{{ size }}px', '1e3px'])
    expect(parseLength(text)).toBeUndefined()
  expect(parseFour('1px 2px 3px 4px 5px')).toBeUndefined()
  expect(parseFour('1px {{ x }}')).toBeUndefined()
})

test('values: a color is read as six digits, and a word is not', () => {
  expect(toHex('#FA3')).toBe('#ffaa33')
  expect(toHex('#3b49df')).toBe('#3b49df')
  expect(toHex('red')).toBeUndefined()
})

test('values: a padding is read with its sides, and writing it sets the sides that are inherited', () => {
  const values = { padding: '10px 25px', 'padding-bottom': '14px' }
  const read = readPadding(values) as FourLengths
  expect(formatFour(read)).toBe('10px 25px 14px')
  expect(writePadding(read, {})).toEqual({
    ...{ padding: '10px 25px 14px', 'padding-top': '', 'padding-right': '', 'padding-bottom': '', 'padding-left': '' },
  })
  expect(writePadding(read, { 'padding-top': '3px' })).toMatchObject({
    padding: '10px 25px 14px',
    'padding-top': '10px',
  })
  expect(readPadding({ padding: '{{ x }}' })).toBeUndefined()
})
