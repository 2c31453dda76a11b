import { expect, test } from 'vitest'
import { formatMoment } from './format.ts'
import { browserZone, instantInWords, isSameDay, ownZone, setOwnZone, toInstant } from './zoned-time.ts'

test('zoned time: a wall-clock time is converted to the instant of its time zone', () => {
  expect(toInstant('2026-11-21', '09:00', 'Europe/Berlin')).toEqual({
    at: new Date('2026-11-21T08:00:00Z'),
    kind: 'exact',
  })
  expect(toInstant('2026-07-01', '09:00', 'America/New_York')).toEqual({
    at: new Date('2026-07-01T13:00:00Z'),
    kind: 'exact',
  })
  expect(toInstant('2026-07-01', '09:00', 'Asia/Kolkata')?.at.toISOString()).toBe('2026-07-01T03:30:00.000Z')
})

test('zoned time: a time skipped by the clocks becomes the next one and is marked as skipped', () => {
  expect(toInstant('2026-03-29', '02:30', 'Europe/Berlin')).toEqual({
    at: new Date('2026-03-29T01:30:00Z'),
    kind: 'skipped',
  })
})

test('zoned time: a time that occurs twice becomes the first one and is marked as such', () => {
  expect(toInstant('2026-10-25', '02:30', 'Europe/Berlin')).toEqual({
    at: new Date('2026-10-25T00:30:00Z'),
    kind: 'twice',
  })
})

test('zoned time: an incomplete time returns no instant', () => {
  expect(toInstant('', '09:00', 'UTC')).toBeUndefined()
  expect(toInstant('2026-11-21', '', 'UTC')).toBeUndefined()
})

test('zoned time: an instant is written with its day, time and city', () => {
  expect(instantInWords(new Date('2026-11-21T08:00:00Z'), 'America/New_York')).toBe(
    'Saturday 21 November 2026, 03:00, New York time',
  )
})

test('zoned time: formats follow the chosen zone, and an unknown one is that of the browser', () => {
  setOwnZone('Asia/Tokyo')
  expect(formatMoment('2026-11-21T23:30:00Z')).toBe('22 Nov 2026, 08:30')
  expect(isSameDay(new Date('2026-11-21T14:59:00Z'), new Date('2026-11-21T15:00:00Z'))).toBe(false)
  setOwnZone('America/New_York')
  expect(formatMoment('2026-11-21T23:30:00Z')).toBe('21 Nov 2026, 18:30')
  setOwnZone('Mars/Olympus')
  expect(ownZone()).toBe(browserZone())
})
