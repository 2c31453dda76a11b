/** Who failed and what was said of them, in a notice that only people were meant to read. */
import { matchAny, toPhrases } from '../phrases/phrases.ts'
import { findAddresses, isReporter, MAX_LINE } from './addresses.ts'
import { beginsPart, namesOthers, returnsEmail } from './markers.ts'

export type Entry = { recipient: string; original: string | null; words: string }

export type NoticeEntries = {
  entries: Entry[]
  /** What is said of nobody in particular. */
  shared: string
}

const MAX_LINES = 1_500
const MAX_RECIPIENTS = 200
/** Characters of what is said of one recipient. */
const MAX_WORDS = 2_000

/** An address at the beginning of a line, with the signs that lists put around it. */
const LISTED =
  /^[\s*>\-–•·|]{0,40}(?:\d{1,3}[.)]\s{1,4})?(?:(?:recipient|failed recipient|address|addressed to|original address|e-?mail)\s{0,4}:\s{0,4})?["'<[(]{0,3}(?:smtp:|rfc822;\s?|mailto:)?["'<]{0,2}([^\s<>()"',;:：，；、。（）「」[\]@]{1,128}@[^\s<>()"',;:：，；、。（）「」[\]@]{1,255})["'>\])]{0,3}(?=[\s:;,.\-–(]|$|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana})/iu
/** Who was written to, where another address stands for them. */
const MADE_FROM =
  /(?:generated|expanded|forwarded|redirected|originally addressed|originally sent)\s{1,4}(?:from|to|by)\s{0,4}:?\s{0,4}<?([^\s<>()"',;:：，；、。（）「」[\]@]{1,128}@[^\s<>()"',;:：，；、。（）「」[\]@]{1,255})/i
const FROM_WHOM = matchAny('(sent by|message from|sender|from|mail from|that you sent from|addressed from):?$')

/** The notice without the email it returns, and where that begins. */
export function cutNotice(text: string): { notice: string; returned: string } {
  const lines = text.split('\n', MAX_LINES)
  const at = lines.findIndex((line, index) => isReturned(lines, line, index))
  if (at < 0) return { notice: lines.join('\n'), returned: '' }
  return { notice: lines.slice(0, at).join('\n'), returned: lines.slice(at).join('\n') }
}

const HEADER = /^[ >]{0,8}[A-Za-z][\w-]{1,40}:/

function isReturned(lines: string[], line: string, index: number): boolean {
  if (/^[ >]{0,8}(?:Received|Return-Path|DKIM-Signature|ARC-Seal|X-Received|X-Google-Smtp-Source):/i.test(line))
    return true
  if (/^[ >]{0,8}(?:Date|From|Message-ID|MIME-Version|To|Subject):/i.test(line)) {
    const next = lines.slice(index + 1, index + 8).filter((one) => HEADER.test(one))
    return (
      next.length > 2 &&
      [line, ...next].some((one) => /^[ >]{0,8}(?:MIME-Version|Received|Content-Type|X-Mailer):/i.test(one))
    )
  }
  if (line.length > 200 || !/[a-z\u0080-\uffff]/i.test(line)) return false
  return index > 0 && returnsEmail(toPhrases(line))
}

/** The entries of a notice. `failed` are addresses its headers name; `ours` those of who sent the email. */
export function readEntries(notice: string, failed: string[], ours: ReadonlySet<string>): NoticeEntries {
  const lines = notice.split('\n').map((line) => line.slice(0, MAX_LINE))
  const others = lines.map((line, index) => isAboutOthers(lines, line, index))
  const isCandidate = (address: string) => !ours.has(address) && (!isReporter(address) || failed.includes(address))
  const listed = lines
    .flatMap((line, index) => (others[index] ? [] : (listedIn(line) ?? [])))
    .filter((address) => !isReporter(address))
  const mentioned = lines
    .flatMap((line, index) => (others[index] || MADE_FROM.test(line) ? [] : findAddresses(line)))
    .filter(isCandidate)
  const madeFrom = lines.flatMap((line) => findMadeFrom(line) ?? []).filter(isCandidate)
  const named = [failed, listed.filter(isCandidate), mentioned, madeFrom, listed].find((some) => some.length > 0) ?? []
  const recipients: Recipients = new Map()
  for (const address of named.slice(0, MAX_RECIPIENTS)) recipients.set(address, { words: [], original: null })
  return assign(lines, others, recipients)
}

type Recipients = Map<string, { words: string[]; original: string | null }>

/** Gives each line to the recipient that was named last, and to all before one is. */
function assign(lines: string[], others: boolean[], recipients: Recipients): NoticeEntries {
  const shared: string[] = []
  let pending: string[] = []
  let current: string | null = null
  lines.forEach((line, index) => {
    if (!line.trim()) return
    const from = findMadeFrom(line)
    const found = others[index] ? [] : findAddresses(line).filter((address) => recipients.has(address))
    const said = found.find((address) => address !== from || recipients.size === 1) ?? null
    if (beginsPart(toPhrases(line)) && !said) {
      current = recipients.size === 1 ? current : null
      shared.push(line)
      return
    }
    if (said) current = said
    const entry = recipients.get(current ?? '')
    if (entry && from && from !== current) entry.original = from
    // What a server answered stands before the line that says to whom.
    if (!said && /^\s{0,8}<<</.test(line) && recipients.size > 1) {
      pending.push(line)
      return
    }
    if (entry) entry.words.push(...pending, line)
    else shared.push(...pending, line)
    pending = []
  })
  return { entries: share([...recipients]), shared: [...shared, ...pending].join(' ').slice(0, MAX_WORDS) }
}

/** Addresses that are listed one under another share what is said below the last of them. */
function share(recipients: [string, { words: string[]; original: string | null }][]): Entry[] {
  const entries = recipients.map(([recipient, { words, original }]) => ({
    ...{ recipient, original },
    words: words.join(' ').slice(0, MAX_WORDS),
  }))
  for (let index = entries.length - 2; index >= 0; index--) {
    const [entry, next] = [entries[index], entries[index + 1]]
    if (entry && next && isBare(entry.words)) entry.words = `${entry.words} ${withoutAddresses(next.words)}`
  }
  return entries
}

const withoutAddresses = (words: string): string => words.replace(/<?[^\s<>@]{1,128}@[^\s<>@]{1,255}>?:?/g, ' ')

const isBare = (words: string): boolean => !/[\p{L}\p{N}]{2}/u.test(withoutAddresses(words))

const listedIn = (line: string): string | null =>
  LISTED.exec(line)?.[1]
    ?.toLowerCase()
    .replace(/(?<![.>])[.>]+$/, '') ?? null

const findMadeFrom = (line: string): string | null =>
  MADE_FROM.exec(line)?.[1]
    ?.toLowerCase()
    .replace(/(?<![.>])[.>]+$/, '') ?? null

function isAboutOthers(lines: string[], line: string, index: number): boolean {
  if (!line.includes('@')) return false
  const trimmed = line.trim().toLowerCase()
  if (namesOthers(toPhrases(trimmed.replace(/^[*>\-\s]+/, '')))) return true
  const before = lines.slice(Math.max(0, index - 2), index).findLast((one) => one.trim()) ?? ''
  return listedIn(line) !== null && FROM_WHOM(toPhrases(before).trim())
}
