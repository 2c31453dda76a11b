import { expect, test } from 'vitest'
import { formatDuplicates, formatImportResult } from './labels.ts'

const job = { imported: 5, updated: 3, skipped: 2, consents: null }

test.each([
  [{ ...job, duplicates: 0, keep: 'last' as const }, '5 added, 3 updated, 2 skipped', ''],
  [
    { ...job, duplicates: 2, keep: 'last' as const },
    '5 added, 1 updated, 2 skipped',
    '2 duplicate rows in the file: kept the last of each.',
  ],
  [
    { ...job, duplicates: 1, keep: 'first' as const },
    '5 added, 3 updated, 1 skipped',
    '1 duplicate row in the file: kept the first.',
  ],
])('import result: %j reads %j and %j', (given, result, duplicates) => {
  expect([formatImportResult(given), formatDuplicates(given)]).toEqual([result, duplicates])
})
