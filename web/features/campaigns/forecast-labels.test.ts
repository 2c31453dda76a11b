import { expect, test } from 'vitest'
import { endInWords, nextInWords, startInWords } from './forecast-labels.ts'

// A Tuesday; in Paris it is 18:00.
const now = Date.parse('2026-11-24T17:00:00Z')
const spread = {
  nextAt: '2026-11-25T08:12:00.000Z',
  nextStep: 1,
  lastAt: '2026-11-26T15:00:00.000Z',
  lastFollowUpAt: null,
  isShared: false,
  timeZone: 'Europe/Paris',
}

test('forecast: it names the time of the next email and the day of the last in the sending time zone', () => {
  expect(nextInWords(spread, 40, now)).toBe('Next email about 09:12 tomorrow, Paris time.')
  expect(endInWords(spread, 40, now)).toBe('At this pace, the last one is sent on Thursday.')
  const late = { ...spread, nextAt: '2026-11-24T19:30:00.000Z', lastAt: '2026-12-15T15:00:00.000Z', isShared: true }
  expect(nextInWords(late, 40, now)).toBe('Next email about 20:30, Paris time.')
  expect(endInWords(late, 40, now)).toBe(
    'At this pace, the last one is sent on Tuesday 15 December. Other campaigns use the same sender, so it may take longer.',
  )
})

test('forecast: a draft outside its sending hours does not go immediately', () => {
  const window = { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00', timeZone: 'Europe/Paris' }
  expect(startInWords(window, spread, now)).toBe('First email about 09:12 tomorrow, Paris time')
  expect(startInWords(window, { ...spread, nextAt: '2026-11-24T17:00:00.000Z' }, now)).toBe('Immediately')
  expect(startInWords({ ...window, zoneField: 'zone' }, null, now)).toBe('During each recipient’s sending hours')
  expect(startInWords(null, null, now)).toBe('Immediately')
})

test('forecast: follow-ups are named, and an email that is due now or far away gets no time', () => {
  const later = { ...spread, nextStep: 2, lastAt: null, lastFollowUpAt: '2026-11-25T09:00:00.000Z' }
  expect(nextInWords(later, 0, now)).toBe(
    'Waiting for follow-ups. The next one is sent about 09:12 tomorrow, Paris time.',
  )
  expect(endInWords(later, 0, now)).toBe(
    'The last follow-up is sent tomorrow at the latest, or earlier if people reply or unsubscribe.',
  )
  const soon = { ...spread, nextAt: '2026-11-24T17:01:00.000Z', lastAt: '2026-11-24T17:05:00.000Z' }
  expect([nextInWords(soon, 5, now), endInWords(soon, 5, now)]).toEqual([null, ''])
  expect(endInWords({ ...soon, lastAt: null }, 60_000, now)).toBe(
    'It is too early to estimate when the last one is sent.',
  )
})
