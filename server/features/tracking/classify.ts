/**
 * Human or machine, and why. Pure: it sees raw rows only, so that what is stored can always be worked out again.
 *
 * In this order, the first that fits decides: prefetch headers, the exact user-agent table, no user agent, known mail
 * programs, isbot and scanners' names, before acceptance, bursts over links. HEAD never becomes an event.
 *
 * Two rules others use are skipped on purpose. "Opened within seconds of sending" calls quick readers machines; only what
 * came *before* the mail server's acceptance cannot have been a person. And a second request within seconds stays in
 * the totals, which count requests; `unique` counts people.
 */
import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'

/** Raise it when a rule changes; rows keep the number they were judged by. */
export const CLASSIFIER = 1

export type Verdict = { class: 'human' | 'machine'; reason: Reason }

/** The words for each reason, as people read them. */
export const reasons = {
  '': '',
  gmail_proxy: 'shown by Gmail, fetched through Google’s image proxy',
  yahoo_proxy: 'shown by Yahoo Mail, fetched through its image proxy',
  mail_program: '',
  prefetch: 'fetched ahead by a browser',
  apple_privacy: 'fetched ahead by Apple Mail Privacy Protection',
  gmail_prefetch: 'fetched ahead by Gmail',
  no_user_agent: 'a program that does not say what it is',
  bot: 'a program, by its own name',
  scanner: 'a security scanner, by its own name',
  before_acceptance: 'came before the mail server had accepted the message',
  burst: 'several links followed at once, as security scanners do',
  one_click: 'with the unsubscribe button of the mail program',
  page: 'on the unsubscribe page',
} as const
export type Reason = keyof typeof reasons

/** What of the request's headers the rules need, besides the user agent. */
export interface Hints {
  /** Sec-Purpose, Purpose, X-Purpose or X-Moz, as sent. */
  purpose?: string
  /** No acceptance by the mail server was known when it came. */
  early?: true
}

export interface RawEvent {
  id: string
  kind: string
  link: number | null
  /** Milliseconds. */
  at: number
  userAgent: string
  hints: Hints
}

const APPLE_PRIVACY = 'Mozilla/5.0'
const GMAIL_PREFETCH =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0'
// isbot takes the short names of some mail programs for bots.
const MAIL_PROGRAM =
  /Outlook-(iOS|Android)|Microsoft Outlook|\bMSOffice|Thunderbird|\bAirmail|\bSparkDesktop|\bReaddle|\bSuperhuman|\bMailspring|\bBetterbird|\beM ?Client|\bPostbox|\bK-9|\bFairEmail|\bBlueMail|\bCanary ?Mail|\bApple Mail|\bMail\/\d/i
const SCANNER =
  /barracuda|mimecast|proofpoint|urldefense|safelinks|ms-?defender|microsoft-?defender|trendmicro|fortigate|fortimail|forcepoint|sophos|symantec|messagelabs|ironport|cisco|zscaler|checkpoint|avanan|mailguard|spamhaus|virustotal|bitdefender|kaspersky|perimeterx|linkscan|link ?check|urlscan/i
const PREFETCH = /prefetch|preview|prerender/i

/** Verdicts by user agent. */
const known = new LRUCache<string, Verdict>({ max: 5_000 })

function judgeAgent(agent: string): Verdict {
  if (agent === APPLE_PRIVACY) return { class: 'machine', reason: 'apple_privacy' }
  if (agent === GMAIL_PREFETCH) return { class: 'machine', reason: 'gmail_prefetch' }
  if (agent.includes('GoogleImageProxy')) return { class: 'human', reason: 'gmail_proxy' }
  if (agent.startsWith('YahooMailProxy')) return { class: 'human', reason: 'yahoo_proxy' }
  if (agent.trim() === '') return { class: 'machine', reason: 'no_user_agent' }
  if (SCANNER.test(agent)) return { class: 'machine', reason: 'scanner' }
  if (MAIL_PROGRAM.test(agent)) return { class: 'human', reason: 'mail_program' }
  if (isbot(agent)) return { class: 'machine', reason: 'bot' }
  return { class: 'human', reason: '' }
}

function byAgent(agent: string): Verdict {
  let verdict = known.get(agent)
  if (!verdict) {
    verdict = judgeAgent(agent)
    known.set(agent, verdict)
  }
  return verdict
}

/** What one request says by itself. */
export function classifyAlone(event: Pick<RawEvent, 'userAgent' | 'hints'>): Verdict {
  if (event.hints.purpose !== undefined && PREFETCH.test(event.hints.purpose))
    return { class: 'machine', reason: 'prefetch' }
  return byAgent(event.userAgent)
}

/** Clocks differ, and the server's answer takes its way, by less than this, in milliseconds. */
const EARLY_BY = 250
/** So many different links ... */
export const BURST_LINKS = 3
/** ... within so many milliseconds are a burst, ... */
const BURST_MS = 10_000
/** ... and so are all links of a mail within this. */
export const SWEEP_MS = 60_000

/** What the rules need of a message. */
export interface Judged {
  /** When its mail server accepted it, in milliseconds; null: it did not; undefined: that cannot be told (yet). */
  acceptedAt: number | null | undefined
  /** How many links the mail has. */
  links: number
}

/** Judges opens, clicks and views of one message together; answers in the given order. */
export function classifyMessage(events: RawEvent[], message: Judged): Verdict[] {
  const { acceptedAt } = message
  const verdicts = events.map((event): Verdict => {
    const verdict = classifyAlone(event)
    const early =
      event.hints.early && acceptedAt !== undefined && (acceptedAt === null || event.at < acceptedAt - EARLY_BY)
    return early && verdict.class === 'human' && !verdict.reason.endsWith('_proxy')
      ? { class: 'machine', reason: 'before_acceptance' }
      : verdict
  })
  // What is a machine by itself says nothing about the clicks around it.
  const clicks = events
    .map((event, index) => ({ index, at: event.at, link: event.link, kind: event.kind }))
    .filter(({ index, kind }) => kind === 'click' && verdicts[index]?.class === 'human')
    .sort((a, b) => a.at - b.at)
  for (const [start, end] of [
    ...windows(clicks, BURST_MS, BURST_LINKS),
    ...windows(clicks, SWEEP_MS, Math.max(BURST_LINKS, message.links)),
  ]) {
    for (const click of clicks.slice(start, end)) verdicts[click.index] = { class: 'machine', reason: 'burst' }
  }
  return verdicts
}

/** The stretches of clicks, as [start, end), that span at most `ms` and hold at least `wanted` different links; overlapping ones are joined. */
function windows(clicks: { at: number; link: number | null }[], ms: number, wanted: number): [number, number][] {
  const found: [number, number][] = []
  const inside = new Map<number | null, number>()
  let start = 0
  clicks.forEach((click, end) => {
    inside.set(click.link, (inside.get(click.link) ?? 0) + 1)
    for (let first = clicks[start]; first && click.at - first.at > ms; first = clicks[++start]) {
      const left = (inside.get(first.link) ?? 1) - 1
      if (left === 0) inside.delete(first.link)
      else inside.set(first.link, left)
    }
    if (inside.size < wanted) return
    const last = found.at(-1)
    if (last && start <= last[1]) last[1] = end + 1
    else found.push([start, end + 1])
  })
  return found
}
