import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvLine, neutralize, restore } from './csv.ts'

const STARTS = [...'=+-@＝＋－＠﹢﹣﹦﹫−\t\r\n']

test('csv: an apostrophe is put before every formula start, full-width ones and line breaks included', () => {
  for (const start of STARTS)
    for (const lead of ['', ' ', '\u00a0', '\u200b', '\ufeff', '\u0001'])
      expect(neutralize(`${lead}${start}1+1`), JSON.stringify(lead + start)).toBe(`'${lead}${start}1+1`)
  for (const plain of ['Ada', '1=1', 'a-b', '', ' Ada', 'ada@example.com']) expect(neutralize(plain)).toBe(plain)
  expect(csvLine(['＝1+1', '\n=2'])).toBe('"\'＝1+1","\'\n=2"\r\n')
})

test('csv: restoring a neutralized cell returns the original text', () => {
  const piece = fc.constantFrom(...STARTS, "'", "''", ' ', 'a', '\u200b', '1')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const cell = pieces.join('')
      expect(restore(neutralize(cell))).toBe(cell)
    }),
  )
})
