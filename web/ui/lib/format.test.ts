import { expect, test } from 'vitest'
import { formatAgo } from './format.ts'

test('relative time: a recent time is written as an interval, and one over a week ago as its date', () => {
  const now = Date.UTC(2026, 10, 21, 12)
  const before = (seconds: number) => formatAgo(new Date(now - seconds * 1_000).toISOString(), now)
  expect([-5, 20, 60, 59 * 60, 3_600, 23 * 3_600, 86_400, 6 * 86_400, 8 * 86_400].map(before)).toEqual([
    'just now',
    'just now',
    '1 minute ago',
    '59 minutes ago',
    '1 hour ago',
    '23 hours ago',
    'yesterday',
    '6 days ago',
    '13 Nov 2026',
  ])
  expect(formatAgo(null)).toBe('-')
})
