/** What a bounced message says: delivery status notifications (RFC 3464), and the plain texts some servers send instead. */
import PostalMime from 'postal-mime'
import type { BounceClass } from '../types.ts'
import { classify, cleanResponse } from './classify.ts'

export type Bounce = { class: BounceClass; response: string; recipient: string | null }

/** Characters of a field or a line that are looked at: what is sent to us may be made to be read over and over. */
const MAX_LENGTH = 1_000

/** Headers by lower-case name. */
type Heads = ReadonlyMap<string, string>

/** An answer that a machine gave (RFC 3834): neither a reply nor a wish. */
export function isAutomatic(headers: Heads): boolean {
  const submitted = headers.get('auto-submitted')?.trim().toLowerCase() ?? 'no'
  return (
    !submitted.startsWith('no') ||
    /^(?:bulk|junk|list|auto_reply)$/i.test(headers.get('precedence')?.trim() ?? '') ||
    headers.has('x-autoreply') ||
    headers.has('x-autorespond') ||
    headers.has('list-id')
  )
}

/** Whether a mail reports that another one did not arrive, by its headers. */
export function looksBounced(headers: Heads): boolean {
  const type = headers.get('content-type') ?? ''
  return (
    (/multipart\/report/i.test(type) && !/feedback-report|disposition-notification/i.test(type)) ||
    headers.has('x-failed-recipients') ||
    /(?:^|<|\s)(?:(?:mailer-daemon|postmaster)@|mailer-daemon"?\s*(?:<>\s*)?$)/i.test(headers.get('from') ?? '')
  )
}

/** Takes a bounce apart: one judgment for each recipient it names. Empty: it is none, or says that the mail is only late. */
export async function readBounces(raw: Uint8Array): Promise<Bounce[]> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' })
  const status = mail.attachments.find(({ mimeType }) =>
    /message\/(?:global-)?delivery-status/i.test(mimeType),
  )?.content
  const text = `${mail.text ?? ''}\n${mail.html?.replace(/<[^<>]+>/g, ' ') ?? ''}`
  const blocks = recipientsIn(String(status ?? statusWithoutPart(raw)))
  if (blocks.length === 0) {
    const failed = mail.headers.find(({ key }) => key === 'x-failed-recipients')?.value ?? null
    return status === undefined ? fromText(text, failed) : []
  }
  const failed = blocks.filter((fields) => /^fail/i.test(fields.get('action') ?? ''))
  return failed.map((fields) => {
    const code = codeIn(fields.get('status') ?? '')
    const diagnostic = (fields.get('diagnostic-code') ?? '').replace(/^\s*[\w-]+\s*;\s*/, '')
    const recipient = addressIn(fields.get('original-recipient') ?? fields.get('final-recipient') ?? '')
    return judged(code, diagnostic || firstReason(text), recipient)
  })
}

/** The blocks of a delivery status that are about recipients (RFC 3464, section 2.3). */
const recipientsIn = (status: string): Map<string, string>[] =>
  status
    .split(/\r?\n[ \t]*\r?\n/)
    .map(parseFields)
    .filter((fields) => fields.has('action') || fields.has('final-recipient'))

/** The status in a mail whose parts cannot be told apart: what follows the words that would begin its part. */
const statusWithoutPart = (raw: Uint8Array): string =>
  /^Content-Type:\s*message\/(?:global-)?delivery-status([\s\S]*?)(?:^--|$(?![\s\S]))/im.exec(
    Buffer.from(raw).toString('utf8'),
  )?.[1] ?? ''

/** Fields of a block, lower-case, folded lines joined. */
function parseFields(block: string): Map<string, string> {
  const unfolded = block.replace(/\r?\n[ \t]+/g, ' ')
  return new Map(
    unfolded.split(/\r?\n/).flatMap((line) => {
      const [, name, value] = /^([\w-]+)\s*:\s*(.*)$/.exec(line) ?? []
      return name ? [[name.toLowerCase(), value ?? ''] as const] : []
    }),
  )
}

/** The status of RFC 3463 in a text, or ''. */
const codeIn = (text: string): string => /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(text)?.[1] ?? ''

const addressIn = (text: string): string | null =>
  /(?<![^\s<>;:"])[^\s<>;:"]+@[^\s<>;"]+/.exec(text.slice(0, MAX_LENGTH))?.[0]?.toLowerCase() ?? null

/** The line of a text that has a reply code, or else its first words. */
function firstReason(text: string): string {
  return (
    /(?:^|[\s:(#])([45]\d\d[ -](?:[45]\.\d{1,3}\.\d{1,3})?[^\n]{3,400})/.exec(text)?.[1] ??
    /^.*\bDNS Error\b.*/im.exec(text)?.[0] ??
    /^.*(?:no such|unknown|not exist|doesn't exist|does not exist|full|quota|disabled).*/im.exec(text)?.[0] ??
    ''
  )
}

function fromText(text: string, failed: string | null): Bounce[] {
  if (/\b(?:delay(?:ed)?|will (?:keep|continue) (?:to )?try|still being retried)\b/i.test(text) && !failed) return []
  // Some name each recipient with what its server said.
  const named = [...text.matchAll(/^[ \t]*<?([^\s<>:@]{1,64}@[^\s<>:@]{1,255})>?:[ \t]+([45]\d\d[ -][^\n]{3,400})/gm)]
  if (named.length > 1)
    return named.map(([, address = '', reason = '']) => judged(codeIn(reason), reason, addressIn(address)))
  const reason = firstReason(text)
  return failed || reason ? [judged(codeIn(reason), reason, addressIn(failed ?? ''))] : []
}

/** The judgment of the same words in an answer while sending; what is final and names a lasting code counts as 5xx. */
function judged(status: string, reason: string, recipient: string | null): Bounce {
  const diagnostic = reason.slice(0, MAX_LENGTH)
  const reply = Number(/^\s*(?:smtp\s*;\s*)?([45]\d\d)\b/i.exec(diagnostic)?.[1] ?? 0)
  const code = reply || (status.startsWith('4') ? 450 : 550)
  const words = /\b[245]\.\d{1,3}\.\d{1,3}\b/.test(diagnostic) || !status ? diagnostic : `${status} ${diagnostic}`
  // Final, so that a host nobody knows and Microsoft's words for no such address are no passing trouble.
  const isNoWhere =
    /\b5\.4\.4\b/.test(words) ||
    /\bDNS Error\b.*(?:NXDOMAIN|domain name not found)/i.test(words) ||
    /\b5\.4\.1\b.*Recipient address rejected: Access denied/i.test(words)
  const blame = isNoWhere ? 'hard' : classify(code, words).class
  return { class: blame ?? 'soft', response: cleanResponse(words) || 'The server gave no reason.', recipient }
}
