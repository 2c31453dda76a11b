import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { untilOpen } from './hours.ts'
import { hoursFor } from './recipients.ts'
import { isOpen, windowAt } from './window.ts'

const at = (text: string) => Date.parse(text)
const week = [1, 2, 3, 4, 5]
const berlin = { days: week, from: '09:00', to: '17:00', timeZone: 'Europe/Berlin' }

test('sending hours: they are open by the clock of their time zone', () => {
  expect(windowAt(berlin, at('2026-11-20T08:30:00Z'))).toEqual({ opensIn: 0, closesIn: 7.5 * 3_600_000 })
  // Friday evening: it opens on Monday morning.
  expect(windowAt(berlin, at('2026-11-20T16:00:00Z')).opensIn).toBe(64 * 3_600_000)
  expect(windowAt(null, 0)).toEqual({ opensIn: 0, closesIn: Number.POSITIVE_INFINITY })
})

test('sending hours: they open at the same local time after a clock change', () => {
  const daily = { ...berlin, days: [1, 2, 3, 4, 5, 6, 7] }
  expect(windowAt(daily, at('2026-03-28T16:00:00Z')).opensIn).toBe(15 * 3_600_000)
  expect(windowAt(daily, at('2026-10-24T15:00:00Z')).opensIn).toBe(17 * 3_600_000)
})

test('sending hours: an hour that a clock change skips is not open, and a repeated one is open once', () => {
  const night = { days: [7], from: '02:00', to: '03:00', timeZone: 'Europe/Berlin' }
  // 29 March 2026 has no such hour: the next Sunday has.
  expect(windowAt(night, at('2026-03-29T00:30:00Z')).opensIn).toBe((7 * 24 - 0.5) * 3_600_000)
  expect(windowAt(night, at('2026-10-25T00:00:00Z'))).toEqual({ opensIn: 0, closesIn: 2 * 3_600_000 })
})

test('sending hours: minutes between two clock changes of the same night are found', () => {
  const late = { days: [7], from: '02:41', to: '03:10', timeZone: 'Europe/Berlin' }
  // From two to three there is no time on 29 March 2026; the ten minutes after three are.
  expect(windowAt(late, at('2026-03-28T23:00:00Z')).opensIn).toBe(2 * 3_600_000)
  expect(windowAt(late, at('2026-03-29T01:00:00Z')).closesIn).toBe(10 * 60_000)
})

test('sending hours: one minute a week is found with few looks at the clock, in weeks with a clock change too', () => {
  const { formatToParts } = Intl.DateTimeFormat.prototype
  let looks = 0
  const clock = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts')
  clock.mockImplementation(function (this: Intl.DateTimeFormat, moment) {
    looks++
    return formatToParts.call(this, moment)
  })
  for (const now of ['2026-11-20T08:30:00Z', '2026-10-24T15:00:00Z', '2026-03-28T16:00:00Z'])
    windowAt({ ...berlin, days: [4], from: '09:00', to: '09:01' }, at(now))
  clock.mockRestore()
  expect(looks).toBeGreaterThan(0)
  expect(looks).toBeLessThan(100)
})

test('sending hours: they open and close in the computed minute, in every time zone and season', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Chatham', 'UTC']
  const time = fc.tuple(
    fc.integer({ min: 0, max: 22 }),
    fc.integer({ min: 1, max: 119 }),
    fc.integer({ min: 0, max: 59 }),
  )
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      time,
      fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-12-31T00:00:00Z') }),
      (timeZone, days, [hour, length, minute], now) => {
        const start = hour * 60 + minute
        const window = { days, from: clock(start), to: clock(Math.min(start + length, 23 * 60 + 59)), timeZone }
        const { opensIn, closesIn } = windowAt(window, now)
        expect(opensIn === 0).toBe(isOpen(window, now))
        if (opensIn > 0) expect(isOpen(window, now + opensIn)).toBe(true)
        else expect(isOpen(window, now + closesIn)).toBe(false)
      },
    ),
    { numRuns: 150 },
  )
})

test('sending hours: nothing begins in their last seconds, and what is left of them ends before they do', () => {
  const day = { ...berlin, timeZone: 'UTC' }
  expect(untilOpen(day, at('2026-11-20T16:59:50Z'))).toEqual({ left: 7_500 })
  expect(untilOpen(day, at('2026-11-20T16:59:56Z'))).toEqual({ closedFor: 64 * 3_600_000 + 4_000 })
  expect(untilOpen(null, 0)).toEqual({ left: Number.POSITIVE_INFINITY })
})

test('sending hours: a contact has them in the zone of their field, in any spelling, else in the one of the campaign', () => {
  const hours = { ...berlin, zoneField: 'zone' }
  const zoneFor = (attributes: Record<string, unknown>) => hoursFor(hours, attributes).timeZone
  expect(zoneFor({ zone: ' america/new_york ' })).toBe('America/New_York')
  for (const attributes of [
    {},
    { zone: '' },
    { zone: 'Mars/Base' },
    { zone: 5 },
    { zone: '+05:00' },
    { zone: 'x'.repeat(9_999) },
  ])
    expect(zoneFor(attributes)).toBe('Europe/Berlin')
})
