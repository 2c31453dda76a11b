import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findRefused, findWords, readAvoided } from './word-list.ts'

const GLOSSARY = `
| term | meaning | avoid |
| --- | --- | --- |
| email | a message | e-mail, letter, mail (as a noun) |
| fix | repair | mend, put right |
| MAX_ | a constant | A_LOOK, MOST_ (in names) |
| labels.ts | a file | words.ts |
`
const avoided = readAvoided(GLOSSARY, { 'MOST_ (in names)': /\bMOST_[A-Z]+/g })
const findWordTexts = (source: string, file = 'a.ts') => findWords(file, source, avoided).map(({ word }) => word)

test('word list: entries are read with the term to write, and one with a note needs a pattern', () => {
  expect(avoided.map(({ word, instead }) => `${word}: ${instead}`)).toEqual([
    'e-mail: email',
    'letter: email',
    'mend: fix',
    'put right: fix',
    'A_LOOK: MAX_',
    'MOST_ (in names): MAX_',
    'words.ts: labels.ts',
  ])
})

test('word list: avoided words are found in texts, comments, names and paths, in any case', () => {
  expect(findWordTexts("const text = 'A letter was sent'")).toEqual(['letter'])
  expect(findWordTexts('sendLetters(); const LETTER_JOBS = []; letter_parts')).toEqual(['letter', 'letter', 'letter'])
  expect(findWordTexts('/** It was mended and\n * put right. */')).toEqual(['mend', 'put right'])
  expect(findWordTexts('An E-Mail, an e-mail address, eMail')).toEqual(['e-mail', 'e-mail', 'e-mail'])
  expect(findWordTexts('const MOST_ROWS = A_LOOK')).toEqual(['A_LOOK', 'MOST_ (in names)'])
  expect(findWordTexts('', 'server/letter-parts.ts')).toEqual(['letter'])
})

test('word list: other words that contain the same characters are not found', () => {
  expect(findWordTexts('newsletter Newsletter amend recommended email Email output right. mailing')).toEqual([])
  expect(findWordTexts('keywords.ts')).toEqual([])
})

test('word list: British spelling is found in texts and names, and machine values and other words are not', () => {
  const entries = readAvoided(readFileSync('docs/glossary.md', 'utf8'))
  const find = (source: string) => findWords('a.ts', source, entries).map(({ word }) => word)
  expect(find('parseColour(); OWN_COLOURS; brands.colours; "Behaviour"')).toEqual([
    ...['colour', 'colour', 'colour', 'behaviour'],
  ])
  expect(find('normaliseEmail(organisation) // Sanitised, and recognising')).toEqual(Array(4).fill('-ise (for -ize)'))
  expect(find('// A cancelled campaign\nconst leftOut = isCancelling')).toEqual([
    ...['cancelled (in texts)', 'left out (for excluded)', 'cancelled (in texts)'],
  ])
  expect(find("if (state === 'cancelled') labels = { cancelled: 'Canceled' }")).toEqual([])
  expect(find('promise, otherwise, advertised, exercise, greylisting, aria-labelledby, cancellation, colored')).toEqual(
    [],
  )
})

test('word list: a finding has its line, and the allow-list removes the allowed ones', () => {
  const found = findWords('web/a.ts', 'x\n  letters and digits\na letter', avoided)
  expect(found.map(({ line, text }) => [line, text])).toEqual([
    [2, 'letters and digits'],
    [3, 'a letter'],
  ])
  const allowed = [{ path: 'web/**', word: 'letter', line: /digits/, reason: 'characters' }]
  expect(findRefused(found, allowed).map(({ line }) => line)).toEqual([3])
  expect(findRefused(found, [{ path: 'server/**', word: 'letter', reason: 'elsewhere' }])).toHaveLength(2)
})

test('word list: a consent is no opt-in, except single and double opt-in of lists', () => {
  const words = readAvoided(readFileSync('docs/glossary.md', 'utf8')).filter(({ instead }) => instead === 'consent')
  const findConsentWords = (source: string) => findWords('a.ts', source, words).map(({ text }) => text)
  const wrong = [
    'hasOptIn()',
    'whatsappOptIns',
    'whatsapp_opt_ins',
    "'no_opt_in'",
    '/api/opt-ins',
    'OPT_IN',
    'They opted in.',
  ]
  expect(findConsentWords(wrong.join('\n'))).toEqual(wrong)
  expect(
    findConsentWords('Double opt-in, single opt-in, single_opt_in, optin: Optin, optedOut, opt-out, options'),
  ).toEqual([])
})
