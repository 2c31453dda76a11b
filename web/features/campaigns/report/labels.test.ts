import { expect, test } from 'vitest'
import type { CampaignStats } from '#contracts/campaigns/stats.ts'
import {
  answerFigure,
  bouncedFigure,
  complainedFigure,
  deliveryRows,
  deliverySummary,
  didItWork,
  readableUrl,
  shownState,
  type Tracked,
} from './labels.ts'
import { describeFilter } from './people/filter-labels.ts'
import { describeTimeline } from './timeline-axis.ts'

const counts = { recipients: 0, queued: 0, sent: 0, deferred: 0, failed: 0, bounced: 0, suppressed: 0, unconfirmed: 0 }
/** The counts of so many emails that were sent and arrived. */
const delivered = (sent: number) => ({ ...counts, recipients: sent, sent })
const share = (unique: number) => ({ total: unique, unique, human: unique, machine: 0 })
const stats = (sent: number, opens: number, clicks: number): CampaignStats => ({
  accepted: sent,
  delivered: sent,
  observedSince: null,
  opens: share(opens),
  clicks: share(clicks),
  rates: {
    open: null,
    click: null,
    clickToOpen: opens ? clicks / opens : null,
    bounce: null,
    unsubscribe: null,
    complaint: null,
  },
  links: [],
  timeline: [],
  clients: [],
  bounces: null,
  unsubscribes: 0,
  complaints: null,
  receivers: [],
})

const tracked = (trackOpens: boolean, trackClicks: boolean, trackingMode: Tracked['trackingMode'] = 'individual') => ({
  ...{ trackOpens, trackClicks, trackingMode },
})

test('report: opens and clicks are summarized with the share of clicks', () => {
  expect(didItWork({ ...tracked(true, true), counts: delivered(4_800) }, stats(4_800, 1_204, 212))).toBe(
    '1,204 people opened, 212 clicked: 17.6% of those who opened.',
  )
})

test('report: the share names people who clicked without a counted open', () => {
  const some = stats(2_500, 300, 90)
  const said = didItWork(
    { ...tracked(true, true), counts: delivered(2_500) },
    { ...some, rates: { ...some.rates, clickToOpen: 90 / 367 } },
  )
  expect(said).toBe('300 people opened, 90 clicked: 24.5% of those who opened or clicked.')
})

test('report: opens and clicks that were not tracked are unknown instead of 0', () => {
  expect(didItWork({ ...tracked(false, false), counts: delivered(1) }, stats(1, 0, 0))).toBe(
    '1 email delivered. Opens and clicks are unknown because tracking was off.',
  )
  expect(didItWork({ ...tracked(false, true), counts: delivered(10) }, stats(10, 0, 1))).toBe(
    '10 emails delivered, 1 person clicked. Opens are unknown because open tracking was off.',
  )
})

test('report: totals are said, with why who opened is unknown', () => {
  const some = stats(10, 0, 0)
  const totals = { total: 5, unique: null, human: 3, machine: 2 }
  const campaign = { ...tracked(true, true, 'aggregate'), counts: delivered(10) }
  expect(didItWork(campaign, { ...some, opens: totals, clicks: totals })).toBe(
    '10 emails delivered. 3 opens and 3 clicks by people. Who they were is unknown because only totals were tracked.',
  )
  expect(answerFigure(campaign, some).label).toBe('Delivered')
})

test('report: a campaign without delivered emails names the reason', () => {
  expect(didItWork({ ...tracked(true, true), counts: { ...counts, failed: 12 } }, stats(0, 0, 0))).toBe(
    'Nothing was delivered: 12 emails rejected.',
  )
})

test('report: later bounces are unknown where no mailbox is read, and a number where one is', () => {
  const bounced = (
    reads: 'all' | 'some' | 'none' | null,
    count: number,
    isKnown = reads === 'all' || reads === 'some',
  ) =>
    bouncedFigure(
      { reads, counts: { ...counts, sent: 10 - count, bounced: count } },
      { delivered: isKnown ? 10 - count : null },
    )
  expect(bounced(null, 0)).toEqual({ value: null, note: 'no bounce source' })
  expect(bounced(null, 0, true)).toEqual({ value: 0, note: '0%' })
  expect(bounced('none', 0)).toEqual({ value: null, note: 'mailbox access not allowed' })
  expect(bounced('some', 0)).toEqual({ value: 0, note: 'in accounts with mailbox access' })
  expect(bounced('all', 0)).toEqual({ value: 0, note: '0%' })
  expect(bounced('all', 1)).toEqual({ value: 1, note: '10%' })
  // Gmail itself may tell of one although no mailbox is read.
  expect(bounced('none', 1).value).toBe(1)
})

test('report: complaints are unknown where no source reports them', () => {
  const none = stats(10, 0, 0)
  expect(complainedFigure(none)).toEqual({ value: null, note: 'no source reports complaints' })
  expect(complainedFigure({ complaints: 2, rates: { ...none.rates, complaint: 0.2 } })).toEqual({
    value: 2,
    note: '20%',
  })
})

test('report: the answer is the open rate, else the click rate, else what was accepted', () => {
  const sent = { ...counts, recipients: 10, sent: 8, failed: 1, suppressed: 1 }
  const figures = { delivered: null, rates: { ...stats(8, 0, 0).rates, open: 0.25, click: 0.125 } }
  const answer = (trackOpens: boolean, trackClicks: boolean) =>
    answerFigure({ counts: sent, ...tracked(trackOpens, trackClicks) }, figures)
  expect(answer(true, true)).toEqual({ label: 'Open rate', value: '25%' })
  expect(answer(false, true)).toEqual({ label: 'Click rate', value: '12.5%' })
  expect(answer(false, false)).toEqual({ label: 'Accepted', value: '88.9%' })
  const known = { ...figures, delivered: 7 }
  expect(answerFigure({ counts: sent, ...tracked(false, false) }, known).label).toBe('Delivered')
  expect(didItWork({ ...tracked(false, false), counts: delivered(8) }, { ...stats(8, 0, 0), delivered: null })).toMatch(
    /^8 emails accepted\./,
  )
  expect(answerFigure({ counts, ...tracked(true, true) }, stats(0, 0, 0)).value).toBe('-')
  expect(deliverySummary({ counts: sent, state: 'sent' })).toBe('1 of 9 not delivered')
})

test('report: while a campaign sends, what arrived and what it is of are of one moment', () => {
  const newer = { ...counts, recipients: 5, queued: 3, sent: 2 }
  const older = stats(1, 0, 0)
  expect(answerFigure({ counts: newer, ...tracked(false, false) }, older)).toEqual({
    label: 'Delivered',
    value: '100%',
  })
  const refused = { ...counts, recipients: 2, sent: 1, failed: 1 }
  expect(didItWork({ counts: refused, ...tracked(true, true) }, stats(0, 0, 0))).toBe(
    '1 email delivered. No opens yet.',
  )
})

test.each([
  ['sending', { recipients: 20, queued: 5, deferred: 3, sent: 12 }, '3 deferred'],
  ['cancelled', { recipients: 20, queued: 5, deferred: 3, sent: 12 }, 'All 12 accepted, 8 will not be sent'],
  [
    'cancelled',
    { recipients: 20, queued: 5, deferred: 3, sent: 10, failed: 2 },
    '2 of 12 not delivered, 8 will not be sent',
  ],
  ['cancelled', { recipients: 20, queued: 20 }, '20 will not be sent'],
  ['sent', { recipients: 46, sent: 42, failed: 3, unconfirmed: 1 }, '3 of 46 not delivered, 1 unconfirmed'],
  ['sent', { recipients: 46, sent: 45, unconfirmed: 1 }, '1 of 46 unconfirmed'],
  ['sent', { recipients: 3, sent: 3 }, 'All 3 accepted'],
  ['draft', {}, 'Nothing sent yet'],
] as const)('report: the delivery of a campaign that is %s with %j reads %j', (state, some, text) => {
  expect(deliverySummary({ state, counts: { ...counts, ...some } })).toBe(text)
})

test.each([
  ['failed', 'hard', 'bounced'],
  ['failed', 'expired', 'bounced'],
  ['failed', 'block', 'failed'],
  ['bounced', 'soft', 'bounced'],
  ['sent', '', 'sent'],
] as const)(
  'report: a message that is %s because of %j is shown as %s, as the figures count it',
  (state, reason, shown) => {
    expect(shownState({ state, reason })).toBe(shown)
  },
)

test('report: a link is read without its scheme and its variables', () => {
  expect(readableUrl('https://www.example.com/')).toBe('example.com')
  expect(readableUrl('https://example.com/a?c={{ attributes.company | url_encode }}&b=1')).toBe('example.com/a?c=…&b=1')
})

test('report: a filter is described with the text of its link, and names a list', () => {
  const filter = {
    state: undefined,
    event: 'clicked' as const,
    link: 1,
    client: undefined,
    machine: false,
    q: undefined,
  }
  expect(describeFilter(filter, { name: 'Spring' }, [{ link: 1, label: 'Read the story' }])).toEqual({
    words: 'Clicked “Read the story”',
    narrowed: true,
    listName: 'Clicked “Read the story”: Spring',
  })
  expect(describeFilter({ ...filter, link: undefined }, { name: 'Spring' }, undefined).listName).toBe('Clicked: Spring')
})

test('report: the time axis has hours within two days and days beyond, and the bucket of the start', () => {
  const hour = (n: number) => new Date(2026, 10, 24, n).toISOString()
  const short = describeTimeline([hour(9), hour(10), hour(11)], new Date(2026, 10, 24, 10, 30).toISOString())
  expect([short.period, short.formatTick(hour(9)), short.ticks, short.sentAt]).toEqual([
    '24 Nov 2026',
    '09:00',
    undefined,
    hour(10),
  ])
  const long = describeTimeline(
    Array.from({ length: 80 }, (_, n) => hour(n)),
    null,
  )
  expect(long.period).toBe('24 Nov 2026 to 27 Nov 2026')
  expect(long.ticks?.map(long.formatTick)).toEqual(['24 Nov', '25 Nov', '26 Nov', '27 Nov'])
})

test('delivery: what is still queued in a canceled campaign will not be sent', () => {
  const words = { accepted: 'Accepted', failed: 'rejected', later: [] }
  const notes = (state: 'sending' | 'cancelled') =>
    deliveryRows({ state, counts: { ...counts, queued: 2, deferred: 1 } }, words)
      .filter(({ label }) => label === 'Queued' || label === 'Deferred')
      .map(({ note }) => note)
  expect([notes('sending'), notes('cancelled')]).toEqual([
    [undefined, 'retried automatically'],
    ['will not be sent', 'will not be sent'],
  ])
})
