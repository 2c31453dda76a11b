import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseLanguage, fillText, findTexts, formatDay } from './languages.ts'

test('languages: a stored locale comes first, then the best of the header, then English', () => {
  expect(chooseLanguage('de-AT', 'fr')).toBe('de')
  expect(chooseLanguage('ja', 'fr-CA, en;q=0.8')).toBe('fr')
  expect(chooseLanguage(null, 'ja, en;q=0.3, pl;q=0.7')).toBe('pl')
  expect(chooseLanguage(null, 'nl;q=0, it;q=0.1')).toBe('it')
  expect(chooseLanguage(null, undefined)).toBe('en')
  expect(formatDay('de', new Date('2026-12-24T12:00:00Z'))).toBe('24. Dezember 2026')
  expect(formatDay('en', new Date('2026-12-24T12:00:00Z'))).toBe('24 December 2026')
})

test('languages: any header and locale give a language with texts', () => {
  fc.assert(
    fc.property(fc.option(fc.string()), fc.string({ unit: 'binary', maxLength: 2_000 }), (locale, header) => {
      expect(findTexts(chooseLanguage(locale, header)).title).not.toBe('')
    }),
  )
})

/** Every text of a language by its path, with the words it fills in. */
function listWords(texts: object, path = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [`${path}${key}: ${[...value.matchAll(/\{\w+\}/g)].map(String).toSorted().join(' ')}`]
      : listWords(value, `${path}${key}.`),
  )
}

test('languages: every language fills in the same words and has no empty text', () => {
  const english = listWords(findTexts('en'))
  for (const language of ['de', 'fr', 'es', 'it', 'pt', 'pl', 'nl']) {
    expect([language, listWords(findTexts(language))]).toEqual([language, english])
    expect(JSON.stringify(findTexts(language))).not.toContain('""')
  }
})

test('languages: what is filled in is not read as a text', () => {
  const filled = fillText('{sender} to {address}, {other}', { sender: '{address}', address: 'a' })
  expect(filled).toBe('{address} to a, {other}')
})
