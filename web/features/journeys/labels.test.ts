import { expect, test } from 'vitest'
import { describeResults } from './labels.ts'

const counts = { recipients: 9, queued: 0, sent: 5, deferred: 0, failed: 0, bounced: 0, suppressed: 0, unconfirmed: 0 }

test('step results: what was skipped or failed is said where there is some of it', () => {
  expect(describeResults({ counts, opened: 3, clicked: 1 })).toEqual(['5 accepted', '3 opened', '1 clicked'])
  const some = { ...counts, suppressed: 2, failed: 1, bounced: 1 }
  expect(describeResults({ counts: some, opened: 3, clicked: 1 }).slice(3)).toEqual([
    '1 bounced',
    '1 failed',
    '2 skipped',
  ])
})
