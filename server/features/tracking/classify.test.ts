import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toNetwork } from '#server/platform/network.ts'
import { classifyAlone, classifyMessage, type RawEvent } from './classify.ts'
import { detectMailClient } from './clients.ts'
import { CHROME, GMAIL, YAHOO } from './testing.ts'

const GMAIL_PREFETCH =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0'

test.each([
  [CHROME, 'human', ''],
  [GMAIL, 'human', 'gmail_proxy'],
  [YAHOO, 'human', 'yahoo_proxy'],
  ['Mozilla/5.0', 'machine', 'apple_privacy'],
  [GMAIL_PREFETCH, 'machine', 'gmail_prefetch'],
  ['', 'machine', 'no_user_agent'],
  ['curl/8.5.0', 'machine', 'bot'],
  ['WhatsApp/2.23', 'machine', 'bot'],
  ['Mozilla/5.0 (compatible; BarracudaCentral)', 'machine', 'scanner'],
  ['Mozilla/5.0 (compatible; Mimecast)', 'machine', 'scanner'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.0', 'human', 'mail_program'],
  ['Outlook-iOS/709.2226530.prod.iphone', 'human', 'mail_program'],
  ['Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Microsoft Outlook 16.0)', 'human', 'mail_program'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'human',
    '',
  ],
])('classify: the user agent %j is %s (%s)', (userAgent, kind, reason) => {
  expect(classifyAlone({ userAgent, hints: {} })).toEqual({ class: kind, reason })
})

test.each(['prefetch', 'prefetch;prerender', 'Preview'])(
  'classify: a request with the purpose %j is machine traffic',
  (purpose) => {
    expect(classifyAlone({ userAgent: GMAIL, hints: { purpose } })).toEqual({ class: 'machine', reason: 'prefetch' })
  },
)

const click = (at: number, link: number, userAgent = CHROME): RawEvent => ({
  id: String(at),
  kind: 'click',
  link,
  at,
  userAgent,
  hints: {},
})
const classifyAll = (events: RawEvent[], links: number) =>
  classifyMessage(events, { acceptedAt: 0, links })
    .map((verdict) => verdict.class[0])
    .join('')

test('classify: three links clicked in ten seconds are a burst, with the clicks between', () => {
  expect(classifyAll([click(0, 0), click(100, 0), click(5_000, 1), click(10_000, 2), click(40_000, 0)], 9)).toBe(
    'mmmmh',
  )
  expect(classifyAll([click(0, 0), click(5_000, 1), click(10_001, 2)], 9)).toBe('hhh')
  expect(classifyAll([click(0, 0), click(1_000, 1), click(2_000, 1)], 9)).toBe('hhh')
})

test('classify: all links of an email, at least three, clicked within a minute are a burst', () => {
  expect(classifyAll([click(0, 0), click(30_000, 1), click(60_000, 2)], 3)).toBe('mmm')
  expect(classifyAll([click(0, 0), click(30_000, 1), click(60_000, 2)], 4)).toBe('hhh')
  expect(classifyAll([click(0, 0), click(1_000, 1)], 2)).toBe('hh')
})

test('classify: clicks of a known scanner do not make later clicks machine traffic', () => {
  expect(
    classifyAll([click(0, 0, 'Barracuda'), click(10, 1, 'Barracuda'), click(20, 2, 'Barracuda'), click(3_000, 1)], 3),
  ).toBe('mmmh')
})

test('classify: only an event before the mail server accepted the message is too early', () => {
  const early: RawEvent = { id: '1', kind: 'open', link: null, at: 10_000, userAgent: CHROME, hints: { early: true } }
  const judge = (event: RawEvent, acceptedAt: number | null | undefined) =>
    classifyMessage([event], { acceptedAt, links: 0 })[0]?.reason
  expect(judge(early, 12_000)).toBe('before_acceptance')
  expect(judge(early, null)).toBe('before_acceptance')
  expect(judge(early, 10_050)).toBe('')
  expect(judge(early, undefined)).toBe('')
  expect(judge({ ...early, userAgent: GMAIL }, null)).toBe('gmail_proxy')
  expect(judge({ ...early, hints: {} }, 12_000)).toBe('')
})

test('classify: bursts are exactly the clicks within a window of the rules', () => {
  const clicks = fc.array(
    fc.record({ at: fc.integer({ min: 0, max: 90_000 }), link: fc.integer({ min: 0, max: 4 }) }),
    { maxLength: 14 },
  )
  fc.assert(
    fc.property(clicks, fc.integer({ min: 1, max: 5 }), (given, links) => {
      const isBurst = (one: { at: number }) =>
        given.some((from) =>
          [
            { ms: 10_000, wanted: 3 },
            { ms: 60_000, wanted: Math.max(3, links) },
          ].some(({ ms, wanted }) => {
            const inside = given.filter((other) => other.at >= from.at && other.at <= from.at + ms)
            return (
              inside.some((other) => other.at === one.at) && new Set(inside.map((other) => other.link)).size >= wanted
            )
          }),
        )
      const verdicts = classifyMessage(
        given.map(({ at, link }) => click(at, link)),
        { acceptedAt: 0, links },
      )
      expect(verdicts.map((verdict) => verdict.class === 'machine')).toEqual(given.map(isBurst))
    }),
    { numRuns: 500 },
  )
})

test('classify: IP addresses are shortened to their network', () => {
  expect(toNetwork('203.0.113.77')).toBe('203.0.113.0/24')
  expect(toNetwork('::ffff:203.0.113.77')).toBe('203.0.113.0/24')
  expect(toNetwork('2001:DB8:12:3456:1::9')).toBe('2001:db8:12::/48')
  expect(toNetwork('fe80::1%eth0')).toBe('fe80:0:0::/48')
  expect(toNetwork('nonsense')).toBe('')
})

test.each([
  [GMAIL, 'Gmail'],
  [YAHOO, 'Yahoo Mail'],
  ['Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Microsoft Outlook 16.0)', 'Outlook'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.0', 'Thunderbird'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'Apple Mail (phone)',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)', 'Apple Mail'],
  [CHROME, 'Web mail in Chrome'],
  ['something else', 'unknown'],
])('classify: the client of %j is %s', (agent, name) => {
  expect(detectMailClient(agent)).toBe(name)
})
