/** Notices in words: what servers without delivery status write, by the words they use and the addresses they name. */
import { toPhrases } from '../phrases/phrases.ts'
import { addressIn, findAddresses } from './addresses.ts'
import { cutNotice, type Entry, readEntries } from './entries.ts'
import { isSurelyReport } from './kinds.ts'
import { parseFields, type ReportMail } from './mail.ts'
import { isDelivered, isOnlyLate, isOver, saysFailed } from './markers.ts'

export type Notice = {
  kind: 'failed' | 'delayed' | 'delivered' | 'none'
  entries: Entry[]
  shared: string
  /** Addresses of who sent the email, as the notice and what it returns show. */
  ours: ReadonlySet<string>
}

/** Reads the words of a report. `isReport`: its form says that it is one. */
export function readNotice(mail: ReportMail, isReport: boolean): Notice {
  const cut = cutNotice(mail.text)
  const returned = parseFields(
    `${(mail.returned || cut.returned).split(/\n\s*\n/).find((block) => /^[ >]*[^\s>]\S*:/m.test(block)) ?? ''}`,
  )
  const ours = findOurs(mail, returned)
  const failed = failedIn(mail)
  const words = toPhrases(`${mail.subject} ${cut.notice}`)
  const found = readEntries(cut.notice, failed, ours)
  const notice = {
    ...found,
    entries: found.entries.length > 0 ? found.entries : readReturned(returned, ours, cut.notice),
    ours,
  }
  if (isLate(mail, cut.notice)) return { ...notice, kind: 'delayed' }
  if (isDelivered(words) && !saysFailed(words)) return { ...notice, kind: 'delivered' }
  const isFailure = isReport || isSurelyReport(mail.headers) || saysFailed(words)
  return { ...notice, kind: isFailure ? 'failed' : 'none' }
}

/** Our own addresses: who gets the notice, and who the returned email is from. */
function findOurs({ headers }: ReportMail, returned: ReadonlyMap<string, string>): Set<string> {
  const fields = [
    ...['to', 'delivered-to'].map((name) => headers.get(name)),
    ...['from', 'return-path', 'reply-to', 'sender', 'errors-to'].map((name) => returned.get(name)),
  ]
  return new Set(fields.flatMap((field) => findAddresses(field ?? '')))
}

const failedIn = ({ headers }: ReportMail): string[] => [
  ...new Set((headers.get('x-failed-recipients') ?? '').split(',', 200).flatMap((one) => addressIn(one) ?? [])),
]

/** Whom the returned email was to: where the notice itself names nobody. */
function readReturned(returned: ReadonlyMap<string, string>, ours: ReadonlySet<string>, notice: string): Entry[] {
  const named = findAddresses(returned.get('x-envelope-to') ?? returned.get('to') ?? '').filter((one) => !ours.has(one))
  const lines = notice.split('\n').flatMap((line) => (/^\s{0,8}to\s{0,4}:/i.test(line) ? findAddresses(line) : []))
  const [recipient] = named.length === 1 ? named : named.length > 1 ? [] : lines.filter((one) => !ours.has(one))
  return recipient ? [{ recipient, original: null, words: notice }] : []
}

function isLate(mail: ReportMail, notice: string): boolean {
  const subject = toPhrases(mail.subject)
  if (/\((?:delay|delayed)\)|^delayed mail|^warning: message .{0,60}delayed/.test(subject)) return true
  const words = toPhrases(notice)
  if (!isOnlyLate(words)) return false
  return !isOver(words.replace(/eventually .{0,80}give up.{0,80}/g, ' ')) || /warning/.test(subject)
}
