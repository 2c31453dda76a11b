import { expect, test } from 'vitest'
import {
  describeAsking,
  formatDuplicates,
  formatImportResult,
  formatInvalidDates,
  formatInvalidPhones,
} from './labels.ts'

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

test('import result: phone numbers that could not be read are said, and how they can be', () => {
  expect(formatInvalidPhones({ invalidPhones: 0, country: null })).toBe('')
  expect(formatInvalidPhones({ invalidPhones: 1, country: 'DE' })).toBe(
    '1 phone number could not be read. It is stored as text in the custom field “phone”.',
  )
  expect(formatInvalidPhones({ invalidPhones: 12, country: null })).toBe(
    '12 phone numbers could not be read. They are stored as text in the custom field “phone”. Import the file again with a default country to use them.',
  )
})

test('import result: dates that could not be read are said', () => {
  expect(formatInvalidDates({ invalidDates: 0 })).toBe('')
  expect(formatInvalidDates({ invalidDates: 1 })).toBe('1 date could not be read. The contact was imported without it.')
  expect(formatInvalidDates({ invalidDates: 1_200 })).toBe(
    '1,200 dates could not be read. Their contacts were imported without them.',
  )
})

const pace = {
  ...{ perSecond: 10, perDay: null, rampUp: [], queued: 0 },
  ...{ monthLeft: 1_000_000, monthUntil: 'Dec 1, 2026', problem: null },
}

test('asking: emails, pace, duration and what the plan leaves are said', () => {
  expect(describeAsking(200_000, pace)).toEqual({
    text: expect.stringMatching(/^Up to 200,000 confirmation emails will be sent, at most 10 a second\. /),
    warnings: [],
  })
  expect(describeAsking(5, pace).text).toContain('less than a minute')
  const spent = describeAsking(
    200_000,
    { ...pace, perDay: 500, queued: 100, monthLeft: 9_000, problem: 'No sender.' },
    true,
  )
  expect(spent.text).toMatch(
    /^About 200,000 .* 10 a second and 500 a day\. 100 wait before them\. At this pace that takes about 400 days/,
  )
  const ramp = describeAsking(400, { ...pace, perDay: 100, rampUp: [50, 75] })
  expect(ramp.text).toMatch(/ 50 today, more each day while the sender ramps up\. At this pace that takes about 5 days/)
  expect(describeAsking(100, { ...pace, rampUp: [50, 75] }).text).toContain('takes about 24 h')
  expect(spent.warnings).toEqual([
    'They wait for now: No sender.',
    'Your plan has 9,000 emails left until Dec 1, 2026, so 191,100 wait until then.',
  ])
})
