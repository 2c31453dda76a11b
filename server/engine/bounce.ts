/** What a mail that came back says: delivery status notifications (RFC 3464), and the plain texts some servers send instead. */
import PostalMime from 'postal-mime'
import { classify, cleanResponse } from './classify.ts'
import type { BounceClass } from './types.ts'

export type Bounce = { class: BounceClass; response: string; recipient: string | null }

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
    /(?:^|<|\s)(?:mailer-daemon|postmaster)@/i.test(headers.get('from') ?? '')
  )
}

/** Takes a bounce apart. null: it is none, or says that the mail is only late. */
export async function readBounce(raw: Uint8Array): Promise<Bounce | null> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'utf8' })
  const status = mail.attachments.find(({ mimeType }) => /message\/(?:global-)?delivery-status/i.test(mimeType))
  const text = `${mail.text ?? ''}\n${mail.html?.replace(/<[^>]+>/g, ' ') ?? ''}`
  if (!status) return fromText(text, mail.headers.find(({ key }) => key === 'x-failed-recipients')?.value ?? null)
  const blocks = String(status.content)
    .split(/\r?\n[ \t]*\r?\n/)
    .map(fieldsOf)
    .filter((fields) => fields.has('action') || fields.has('final-recipient'))
  const failed = blocks.find((fields) => /^fail/i.test(fields.get('action') ?? ''))
  if (!failed) return null
  const code = /\b([245]\.\d{1,3}\.\d{1,3})\b/.exec(failed.get('status') ?? '')?.[1] ?? ''
  const diagnostic = (failed.get('diagnostic-code') ?? '').replace(/^\s*[\w-]+\s*;\s*/, '')
  const recipient = addressIn(failed.get('original-recipient') ?? failed.get('final-recipient') ?? '')
  return judged(code, diagnostic || firstReason(text), recipient)
}

/** Fields of a block, lower-case, folded lines joined. */
function fieldsOf(block: string): Map<string, string> {
  const unfolded = block.replace(/\r?\n[ \t]+/g, ' ')
  return new Map(
    unfolded.split(/\r?\n/).flatMap((line) => {
      const [, name, value] = /^([\w-]+)\s*:\s*(.*)$/.exec(line) ?? []
      return name ? [[name.toLowerCase(), value ?? ''] as const] : []
    }),
  )
}

const addressIn = (text: string): string | null => /[^\s<>;:"]+@[^\s<>;"]+/.exec(text)?.[0]?.toLowerCase() ?? null

/** The line of a text that has a reply code, or else its first words. */
function firstReason(text: string): string {
  return (
    /(?:^|[\s:(#])([45]\d\d[ -](?:[45]\.\d{1,3}\.\d{1,3})?[^\n]{3,400})/.exec(text)?.[1] ??
    /[^\n]*(?:no such|unknown|not exist|doesn't exist|does not exist|full|quota|disabled)[^\n]*/i.exec(text)?.[0] ??
    ''
  )
}

function fromText(text: string, failed: string | null): Bounce | null {
  if (/\b(?:delay(?:ed)?|will (?:keep|continue) (?:to )?try|still being retried)\b/i.test(text) && !failed) return null
  const reason = firstReason(text)
  const code = /\b([45]\.\d{1,3}\.\d{1,3})\b/.exec(reason)?.[1] ?? ''
  return failed || reason ? judged(code, reason, addressIn(failed ?? '')) : null
}

/** The judgement of the same words in an answer while sending; what is final and names a lasting code counts as 5xx. */
function judged(status: string, diagnostic: string, recipient: string | null): Bounce {
  const reply = Number(/^\s*(?:smtp\s*;\s*)?([45]\d\d)\b/i.exec(diagnostic)?.[1] ?? 0)
  const code = reply || (status.startsWith('4') ? 450 : 550)
  const words = /\b[245]\.\d{1,3}\.\d{1,3}\b/.test(diagnostic) || !status ? diagnostic : `${status} ${diagnostic}`
  // Final, so that a host nobody knows and Microsoft's words for no such address are no passing trouble.
  const isNoWhere = /\b5\.4\.4\b/.test(words) || /\b5\.4\.1\b.*Recipient address rejected: Access denied/i.test(words)
  const blame = isNoWhere ? 'hard' : classify(code, words).class
  return { class: blame ?? 'soft', response: cleanResponse(words) || 'It came back without a reason.', recipient }
}
