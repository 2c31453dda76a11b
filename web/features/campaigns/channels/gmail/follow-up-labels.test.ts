import { expect, test } from 'vitest'
import { formatMoment } from '#web/ui/lib/format.ts'
import { describeQueued } from './follow-up-labels.ts'

const now = Date.parse('2026-11-29T03:00:00Z')
const [BEFORE, SOON, LATER] = ['2026-11-29T02:57:00.000Z', '2026-11-29T09:00:00.000Z', '2026-11-30T02:55:00.000Z']
const forecastAt = (nextAt: string) => ({
  ...{ nextAt, nextStep: 2, lastAt: null, lastFollowUpAt: null, isShared: false, timeZone: null },
})
const none = { recipients: 14, queued: 0, sent: 0, deferred: 0, failed: 0, bounced: 0, unconfirmed: 0, suppressed: 0 }
const waiting = { ...none, queued: 14 }

test.each([
  ['sending', SOON, null, `next ${formatMoment(SOON)}`],
  ['sending', SOON, forecastAt(BEFORE), `next ${formatMoment(SOON)}`],
  // Its time has come, and the limit of the account has not.
  ['sending', BEFORE, forecastAt(LATER), `next ${formatMoment(LATER)}`],
  ['sending', SOON, forecastAt(LATER), `next ${formatMoment(LATER)}`],
  ['sending', BEFORE, forecastAt(BEFORE), 'due now'],
  ['sending', BEFORE, null, 'due now'],
  ['paused', BEFORE, null, 'continue after you resume'],
  ['cancelled', BEFORE, null, 'will not be sent'],
  ['cancelled', null, null, 'will not be sent'],
  ['failed', SOON, null, 'will not be sent'],
] as const)(
  'follow-ups: those queued in a campaign that is %s, due %s, with %j read %j',
  (state, nextAt, forecast, text) => {
    expect(describeQueued({ counts: waiting, nextAt }, { state, forecast }, now)).toBe(text)
  },
)

test('follow-ups: where none is queued nothing is said', () => {
  for (const state of ['draft', 'sending', 'cancelled', 'sent'] as const)
    expect(describeQueued({ counts: none, nextAt: null }, { state, forecast: null }, now)).toBe('')
})
