import { expect, test } from 'vitest'
import { instantInWords, instantOf } from './zoned-time.ts'

test('a wall-clock time is the instant its zone says', () => {
  expect(instantOf('2026-11-21', '09:00', 'Europe/Berlin')).toEqual({
    at: new Date('2026-11-21T08:00:00Z'),
    kind: 'exact',
  })
  expect(instantOf('2026-07-01', '09:00', 'America/New_York')).toEqual({
    at: new Date('2026-07-01T13:00:00Z'),
    kind: 'exact',
  })
  expect(instantOf('2026-07-01', '09:00', 'Asia/Kolkata')?.at.toISOString()).toBe('2026-07-01T03:30:00.000Z')
})

test('a time the clocks jump over becomes the one after it, and says so', () => {
  expect(instantOf('2026-03-29', '02:30', 'Europe/Berlin')).toEqual({
    at: new Date('2026-03-29T01:30:00Z'),
    kind: 'skipped',
  })
})

test('a time that comes twice is the first of the two, and says so', () => {
  expect(instantOf('2026-10-25', '02:30', 'Europe/Berlin')).toEqual({
    at: new Date('2026-10-25T00:30:00Z'),
    kind: 'twice',
  })
})

test('an incomplete time is no instant', () => {
  expect(instantOf('', '09:00', 'UTC')).toBeUndefined()
  expect(instantOf('2026-11-21', '', 'UTC')).toBeUndefined()
})

test('an instant is written with its day, time and place', () => {
  expect(instantInWords(new Date('2026-11-21T08:00:00Z'), 'America/New_York')).toBe(
    'Saturday 21 November 2026, 03:00, New York time',
  )
})
