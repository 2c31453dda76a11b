import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AccountAhead, outlook, type QueueAhead } from './outlook.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A Monday, noon in UTC. */
const NOON = Date.parse('2026-11-23T12:00:00Z')

const account = (change: Partial<AccountAhead> = {}): AccountAhead => ({
  ...{ id: '1', freeAt: 0, perMinute: null, perDay: 500, plan: null, releases: [], chosen: true },
  ...change,
})
const play = (change: Partial<QueueAhead> = {}) =>
  outlook({
    ...{ now: NOON, window: null, spread: false, emails: 1, emailsFrom: NOON, waits: [], waiting: [] },
    accounts: [account()],
    ...change,
  })
const days = (at: number | null | undefined) => ((at ?? Number.NaN) - NOON) / DAY

test('forecast: emails over the daily limit continue on the next days, and accounts add up', () => {
  expect(days(play({ emails: 500 })?.lastEmailAt)).toBeLessThan(0.1)
  const over = days(play({ emails: 1_001 })?.lastEmailAt)
  expect(over).toBeGreaterThan(2)
  expect(over).toBeLessThan(2.1)
  // 50, then 75 in any 24 hours: 25 of them as soon as the day is over, for the first 50 still count until then.
  const slow = days(play({ emails: 125, accounts: [account({ plan: { days: 14, from: null } })] })?.lastEmailAt)
  expect(slow).toBeGreaterThan(1)
  expect(slow).toBeLessThan(1.1)
  expect(days(play({ emails: 1_000, accounts: [account(), account({ id: '2' })] })?.lastEmailAt)).toBeLessThan(0.1)
})

test('forecast: sending hours, a rest and a used-up day delay the next email', () => {
  const window = { days: [1, 2, 3, 4, 5], from: '09:00', to: '11:00', timeZone: 'UTC' }
  expect(play({ window })?.nextAt).toBe(Date.parse('2026-11-24T09:00:00Z'))
  expect(play({ accounts: [account({ freeAt: NOON + 3 * HOUR })] })?.nextAt).toBe(NOON + 3 * HOUR)
  const releases = [NOON + HOUR, NOON + 2 * HOUR]
  expect(play({ accounts: [account({ perDay: 2, releases })] })?.nextAt).toBe(NOON + HOUR)
  // Spread: two hours hold the four of a day, at even distances and a little more.
  const spread = play({ window, spread: true, emails: 4, accounts: [account({ perDay: 4 })] })
  expect(spread?.lastEmailAt).toBeGreaterThan(Date.parse('2026-11-24T10:30:00Z'))
  expect(spread?.lastEmailAt).toBeLessThan(Date.parse('2026-11-25T09:00:00.001Z'))
})

test('forecast: an account at the limit of its slow start goes on when the limit rises, else as its day is over', () => {
  // Day 2 of 14 began at 09:00 and allows 75; those of 18:00 count until 18:00 tomorrow, and at 09:00 it is 112.
  const [from, evening] = [new Date(NOON - 27 * HOUR), NOON + 6 * HOUR]
  const releases = Array.from({ length: 75 }, () => evening + DAY)
  const slow = (perDay: number, emails = 1) =>
    play({
      ...{ now: evening, emailsFrom: evening, emails },
      accounts: [account({ perDay, plan: { days: 14, from }, releases })],
    })
  expect(slow(500)?.nextAt).toBe(NOON + 21 * HOUR)
  // The limit of the account itself is reached: no day of the slow start adds to it.
  expect(slow(75)?.nextAt).toBe(evening + DAY)
  // 37 more fit into the risen limit, and the next one waits for the evening.
  expect(slow(500, 37)?.lastEmailAt).toBeLessThan(NOON + 22 * HOUR)
  expect(slow(500, 38)?.lastEmailAt).toBe(evening + DAY)
  // 50 at noon: after a day they count no more, or not the limit of day 1.
  const first = {
    plan: { days: 14, from: new Date(NOON) },
    releases: Array.from({ length: 50 }, () => NOON + DAY + HOUR),
  } as const
  expect(play({ now: NOON + HOUR, accounts: [account(first)] })?.nextAt).toBe(NOON + DAY)
})

test('forecast: follow-ups come after their wait, from the account of their thread, before first emails', () => {
  const waits = [2 * DAY, DAY]
  const found = play({ emails: 10, waits })
  expect(found).toMatchObject({ nextAt: NOON, nextStep: 1 })
  expect(days(found?.lastFollowUpAt)).toBeGreaterThan(3)
  expect(days(found?.lastFollowUpAt)).toBeLessThan(3.1)
  const waiting = [{ step: 2, senderId: '2', dueAt: NOON + HOUR, count: 3 }]
  const others = [account(), account({ id: '2', chosen: false, freeAt: NOON + 2 * HOUR })]
  expect(play({ emails: 0, waits, waiting, accounts: others })).toMatchObject({
    ...{ nextAt: NOON + 2 * HOUR, nextStep: 2, lastEmailAt: null },
  })
  expect(play({ emails: 0 })).toBeUndefined()
  expect(play({ accounts: [] })).toBeUndefined()
  expect(play({ emails: 100_000 })).toEqual({ nextAt: NOON, nextStep: 1, lastEmailAt: null, lastFollowUpAt: null })
})

test('forecast: the end is never before the start, and more emails never end earlier', () => {
  fc.assert(
    fc.property(
      fc.record({
        emails: fc.integer({ min: 1, max: 300 }),
        perDay: fc.integer({ min: 1, max: 60 }),
        perMinute: fc.option(fc.integer({ min: 1, max: 60 })),
        spread: fc.boolean(),
        rampUp: fc.boolean(),
        opens: fc.integer({ min: 0, max: 22 }),
        hours: fc.boolean(),
      }),
      ({ emails, perDay, perMinute, spread, rampUp, opens, hours }) => {
        const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`
        const window = hours
          ? { days: [2, 4], from: clock(opens), to: clock(opens + 1), timeZone: 'America/New_York' }
          : null
        const given = {
          spread,
          window,
          accounts: [account({ perDay, perMinute, plan: rampUp ? { days: 14, from: null } : null })],
        }
        const [less, more] = [play({ emails, ...given }), play({ emails: emails + 1, ...given })]
        expect(less?.nextAt).toBe(more?.nextAt)
        expect(less?.nextAt).toBeGreaterThanOrEqual(NOON)
        expect(less?.lastEmailAt).toBeGreaterThanOrEqual(less?.nextAt ?? 0)
        expect(more?.lastEmailAt).toBeGreaterThan(less?.lastEmailAt ?? 0)
      },
    ),
    { numRuns: 30 },
  )
})
