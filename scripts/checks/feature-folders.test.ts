import { expect, test } from 'vitest'
import { findProblems } from './feature-folders.ts'

const TABLE = '| folder on one side only | side | because |\n| --- | --- | --- |\n'
const FOLDERS = [
  'server/features/templates',
  'server/features/templates/rendering',
  'server/features/templates/starters',
  'server/features/tracking/opens',
  'web/features/templates',
  'web/features/templates/design',
  'web/features/templates/starters',
]

test('feature folders: a folder on one side only needs a row with a reason', () => {
  expect(findProblems(FOLDERS, TABLE)).toEqual([
    expect.stringMatching(/^templates\/rendering is on the server side only/),
    expect.stringMatching(/^templates\/design is on the web side only/),
  ])
  expect(
    findProblems(FOLDERS, `${TABLE}| templates/rendering | server | |\n| templates/design | web | a screen |`),
  ).toEqual([expect.stringMatching(/^templates\/rendering/)])
  const rows = '| templates/rendering | server | threads |\n| templates/design | web | a screen |\n\nText.'
  expect(findProblems(FOLDERS, TABLE + rows)).toEqual([])
})

test('feature folders: a row that is no longer true is refused, and so is a document without the table', () => {
  const rows =
    '| templates/rendering | server | threads |\n| templates/design | web | x |\n| templates/gone | web | y |'
  expect(findProblems(FOLDERS, TABLE + rows)).toEqual([expect.stringContaining('explains templates/gone')])
  expect(() => findProblems(FOLDERS, 'Text.')).toThrow('has no table')
})
