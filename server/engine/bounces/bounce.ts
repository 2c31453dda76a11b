/** What a report about an email says: bounces (RFC 3464 and the words of servers), complaints (RFC 5965), receipts. */
import type { BounceClass } from '../types.ts'
import { BEFORE_RECIPIENT, blame, cleanResponse, saysWhy } from './classify.ts'
import { findAddresses } from './notices/addresses.ts'
import { type FeedbackKind, readBareFeedback, readFeedback } from './notices/feedback.ts'
import { isAutomatic, isBareFeedback, looksBounced, looksLikeFeedback } from './notices/kinds.ts'
import { openReport, type ReportMail } from './notices/mail.ts'
import { type Notice, readNotice } from './notices/notice.ts'
import { type RecipientStatus, readStatuses, statusAmongWords } from './notices/status.ts'

export { isAutomatic, looksBounced, looksLikeFeedback } from './notices/kinds.ts'

/** `recipient` failed; `original` was written to, where the report tells them apart (an alias, a forwarded address). */
export type Bounce = { class: BounceClass; response: string; recipient: string | null; original: string | null }

/**
 * What a report is. `delayed` and `delivered` change nothing, `receipt` says that somebody opened an email (RFC 8098),
 * `auto_reply` is a machine's, `none` is ordinary email.
 */
export type Report =
  | { kind: 'bounce'; bounces: Bounce[] }
  | { kind: FeedbackKind; recipients: string[] }
  | { kind: 'delayed' | 'delivered' | 'receipt' | 'auto_reply' | 'none' }

/** Characters of a reason that are looked at and of the code's place in it. */
const MAX_REASON = 2_000
const CODE = /(?<![\d.\w])([45][0-7]\d)(?=[ \-.,:;)\]#]|$)/
const STATUS = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/

/** Takes a bounce apart: one judgment for each recipient it names. Empty: it is none, or says that the mail is only late. */
export async function readBounces(raw: Uint8Array): Promise<Bounce[]> {
  const report = await readReport(raw)
  return report.kind === 'bounce' ? report.bounces : []
}

/** What an email says about another one. Never rejects, and takes the time of its first 256 kB. */
export async function readReport(raw: Uint8Array): Promise<Report> {
  const mail = await openReport(raw)
  if (mail.feedback !== null) return readFeedback(mail.feedback)
  if (isBareFeedback(mail.headers)) return readBareFeedback(mail.returned)
  const among = mail.status.length === 0 ? statusAmongWords(mail.text) : null
  const statuses = readStatuses(among === null ? mail.status : [among])
  const type = mail.headers.get('content-type') ?? ''
  const isReport = mail.status.length > 0 || /report-type="?delivery-status/i.test(type)
  const notice = readNotice(mail, isReport)
  if (statuses.length > 0 && !isChallenge(mail)) return fromStatuses(statuses, notice)
  if (isChallenge(mail)) return { kind: 'auto_reply' }
  if (mail.disposition !== null && !/rejected/i.test(`${mail.subject} ${mail.text.slice(0, 500)}`))
    return { kind: 'receipt' }
  if (isReport || mail.disposition !== null || looksBounced(mail.headers)) {
    if (notice.kind === 'delayed' || notice.kind === 'delivered') return { kind: notice.kind }
    const bounces = notice.kind === 'failed' ? fromNotice(notice) : []
    if (bounces.length > 0) return { kind: 'bounce', bounces }
  }
  return { kind: isAutomatic(mail.headers) ? 'auto_reply' : 'none' }
}

/** Servers that ask a sender to prove that they are a person send an email of their own, sometimes as a delivery report. */
const isChallenge = ({ text, headers }: ReportMail): boolean =>
  looksLikeFeedback(headers)
    ? false
    : /(?:add yourself to|click (?:on )?the (?:following )?link|click the link below|follow (?:the|this) link).{0,200}(?:guest list|allowed list|to be added|your address added|verif|confirm|approved)/is.test(
        text.slice(0, 4_000),
      ) && !/\b5\d\d[ -]/.test(text.slice(0, 4_000))

function fromStatuses(statuses: RecipientStatus[], notice: Notice): Report {
  const failed = statuses.filter(({ action }) => action === 'failed')
  if (failed.length === 0)
    return { kind: statuses.some(({ action }) => action === 'delayed') ? 'delayed' : 'delivered' }
  const alone = failed.length === 1 ? notice.entries.length === 1 : false
  const bounces = failed.map(({ recipient, original, status, diagnostic }) => {
    const entry =
      notice.entries.find((one) => one.recipient === recipient || one.recipient === original) ??
      (alone || failed.length === 1 ? notice.entries[0] : undefined)
    const said = entry?.words || (failed.length === 1 ? notice.shared : '')
    // The words for people often name every possible cause: they count where the machine's say nothing.
    const isTold = saysWhy(diagnostic) || (isTelling(status) && !STATUS.test(diagnostic)) || !saysWhy(said)
    const reason = isTold ? diagnostic || (isTelling(status) ? '' : said) : `${diagnostic} ${said}`
    return judge({ reason, status, ours: notice.ours }, { recipient: recipient ?? entry?.recipient ?? null, original })
  })
  return { kind: 'bounce', bounces: withoutRepeats(bounces) }
}

/** Whether a status says more than that something is wrong (RFC 3463: x.0.0, x.5.x), or than that it is refused. */
const isTelling = (status: string): boolean => /^5\.(?:1|2|4)\.[1-9]|^5\.3\.4|^5\.6\./.test(status)

function fromNotice(notice: Notice): Bounce[] {
  const { entries, shared, ours } = notice
  if (entries.length === 0) {
    return saysWhy(shared) || CODE.test(shared)
      ? [judge({ reason: shared, status: '', ours }, { recipient: null, original: null })]
      : []
  }
  return withoutRepeats(
    entries.map(({ recipient, original, words }) => {
      const isTold = saysWhy(words) || CODE.test(words) || STATUS.test(words)
      return judge({ reason: isTold ? words : `${words} ${shared}`, status: '', ours }, { recipient, original })
    }),
  )
}

/** One judgment a recipient: of several the mildest, because an address that takes some of its email exists. */
function withoutRepeats(bounces: Bounce[]): Bounce[] {
  const found = new Map<string, Bounce>()
  for (const bounce of bounces) {
    const key = bounce.recipient ?? ''
    const before = found.get(key)
    if (!before || (before.class === 'hard' && bounce.class !== 'hard')) found.set(key, bounce)
  }
  return [...found.values()]
}

/** The judgment of the same words in an answer while sending; what is final and names a lasting code counts as 5xx. */
function judge(
  { reason, status, ours }: { reason: string; status: string; ours: ReadonlySet<string> },
  who: { recipient: string | null; original: string | null },
): Bounce {
  const own = narrow(reason.slice(0, MAX_REASON))
  const words = nameOurs(own, ours, who.recipient ?? '')
  const enhanced = STATUS.exec(words)?.[1] ?? (status || null)
  const reply = Number(CODE.exec(words)?.[1] ?? 0)
  const code = reply || (enhanced?.startsWith('4') ? 450 : 550)
  const from = reason.search(CODE)
  const response = cleanResponse(from > 0 && from < 400 ? reason.slice(from) : reason)
  const shown = status && !STATUS.test(response) ? `${status} ${response}` : response
  const blamed = blameFinally(code, enhanced, words)
  return {
    class: blamed === 'hard' && isAboutUs(own, ours, who) ? 'block' : blamed,
    response: cleanResponse(shown) || 'The server gave no reason.',
    ...who,
  }
}

/** Whether a server names our address and nobody else's: that one does not exist for it. */
function isAboutUs(
  own: string,
  ours: ReadonlySet<string>,
  { recipient, original }: { recipient: string | null; original: string | null },
): boolean {
  // Who it is from is only mentioned.
  const named = findAddresses(
    own.replace(/\s/g, ' ').replace(/\b(?:from|sender)\s?[:=]?\s?<?[^\s<>@]{1,128}@[^\s<>@]{1,255}/gi, ' '),
  )
  return (
    named.length > 0 && named.every((address) => ours.has(address) && address !== recipient && address !== original)
  )
}

/** What begins with a reply code is the server's own words, and enough where they say why. */
function narrow(words: string): string {
  const at = words.search(CODE)
  const own = at > 0 ? words.slice(at) : words
  return at > 0 && saysWhy(own) && !BEFORE_RECIPIENT.test(words) ? own : words
}

/** Final, so that a host nobody knows and Microsoft's words for no such address are no passing trouble. */
function blameFinally(code: number, enhanced: string | null, words: string): BounceClass {
  // docomo says so of the filter of a recipient who exists: the mailbox is known, and its own status is given.
  if (enhanced === '5.2.0' && /docomo/i.test(words)) return 'block'
  const isNowhere =
    (enhanced === '5.4.4' && code >= 500 && !/malformed|try again/i.test(words)) ||
    /\bDNS Error\b.{0,200}(?:NXDOMAIN|domain name not found)/i.test(words) ||
    (/\b5\.4\.1\b/.test(words) && /Recipient address rejected: Access denied/i.test(words))
  return isNowhere ? 'hard' : blame(code, enhanced, words)
}

/** Our own addresses and domains as what they are: a word about one is a word about the sender. */
function nameOurs(words: string, ours: ReadonlySet<string>, recipient: string): string {
  let named = words
  for (const address of [...ours].slice(0, 10)) {
    const low = named.toLowerCase()
    const host = address.slice(address.lastIndexOf('@') + 1)
    // Who writes within a domain, or to themselves, is not told apart by it.
    if (recipient.endsWith(`@${host}`)) continue
    const domain = `domain ${host}`
    if (low.length !== named.length || !(low.includes(address) || low.includes(domain))) continue
    named = low.replaceAll(`<${address}>`, 'sender').replaceAll(address, 'sender').replaceAll(domain, 'sender domain')
  }
  return named
}
