import { expect, test } from 'vitest'
import { findProblems, findTitles } from './test-titles.ts'

test('test titles: a title is found after a table, over lines and in every kind of quotation marks', () => {
  const source = [
    "test('one: it works', () => {})",
    "test.each([['a', 1], ['b)(c', 2]])('two: %s is %i', () => {})",
    'test.skipIf(process.getuid?.() !== 0)(',
    "  'three: it runs as root',",
    '  () => {},',
    ')',
    'test.each<[name: string]>([',
    "  ['a'],",
    `])("four: it doesn't fail", () => {})`,
    'if (isLong) {',
    '  test(`five: $' + '{COUNT} emails are sent`, () => {})',
    '}',
    "expect(pattern.test('no title'))",
  ].join('\n')
  expect(findTitles(source)).toEqual([
    { title: 'one: it works', line: 1 },
    { title: 'two: %s is %i', line: 2 },
    { title: 'three: it runs as root', line: 3 },
    { title: "four: it doesn't fail", line: 7 },
    { title: 'five: $' + '{COUNT} emails are sent', line: 11 },
  ])
})

test('test titles: a title without a subject or in a variable is refused with its line', () => {
  expect(findProblems('a.test.ts', "test('import: a bad row is skipped', () => {})")).toEqual([])
  for (const title of [
    'a bad row is skipped',
    'x: too short',
    ': no subject',
    'import:no space',
    `${'x'.repeat(41)}: x`,
  ])
    expect(findProblems('a.test.ts', `\ntest('${title}', () => {})`)).toEqual([
      `a.test.ts:2 “${title}”: write "subject: what is done and what is expected"`,
    ])
  expect(findProblems('a.test.ts', "test(title, () => {})\ntest('import: it works', () => {})")).toEqual([
    'a.test.ts:1 has a title that is not a text: write it where the test is',
  ])
})
