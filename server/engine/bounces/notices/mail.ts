/** Takes a report apart into what is read: the words, the machine-readable parts, and the headers of the returned email. */
import { decodeHTML } from 'entities'
import PostalMime, { type Attachment, type Email } from 'postal-mime'

/** Headers by lower-case name. */
export type Heads = ReadonlyMap<string, string>

export type ReportMail = {
  headers: Heads
  subject: string
  /** What a person reads, without the email that is returned. */
  text: string
  /** Texts of the parts that machines read: delivery status, feedback, disposition (RFC 3464, 5965, 8098). */
  status: string[]
  feedback: string | null
  disposition: string | null
  /** The returned email as far as its headers go, '' where none is returned. */
  returned: string
}

/** Everything that is read stands at the front; a report of any size takes the time of this much. */
const MAX_BYTES = 256 * 1024
/** The parser takes a line's time for an empty one too: a quarter of a million of them took four seconds. */
const MAX_LINES = 10_000
const MAX_TEXT = 64 * 1024
const MAX_RETURNED = 32 * 1024
const MAX_DEPTH = 30

/** Opens a report. Never rejects: what is no MIME is read as plain text. */
export async function openReport(raw: Uint8Array): Promise<ReportMail> {
  const bytes = withLineFeeds(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).subarray(0, MAX_BYTES))
  const whole = await parse(bytes)
  if (!whole) return asPlainText(bytes)
  // A boundary other than the declared one, as programs that rewrite headers leave it.
  const mail = isEmpty(whole) ? ((await parse(withFoundBoundary(bytes))) ?? whole) : whole
  if (isEmpty(mail)) return { ...asPlainText(bytes), headers: toHeads(whole), subject: whole.subject ?? '' }
  const contents = (type: RegExp) =>
    mail.attachments.filter(({ mimeType }) => type.test(mimeType)).map((part) => readText(part))
  const plain = [mail.text ?? '', ...contents(/^text\/(?:plain|html)$/i)].join('\n')
  const text = mail.html && plain.trim().length < 40 ? htmlToText(mail.html) : plain
  return {
    headers: toHeads(whole),
    subject: whole.subject ?? '',
    text: toLines(text).slice(0, MAX_TEXT),
    status: contents(/^message\/(?:global-)?delivery-status$/i).map(toLines),
    feedback: contents(/^message\/feedback-report$/i).map(toLines)[0] ?? null,
    disposition: contents(/^message\/(?:global-)?disposition-notification$/i).map(toLines)[0] ?? null,
    returned: toLines(
      contents(/^(?:message\/(?:rfc822|global|partial)|text\/rfc822-headers|message\/.*headers)$/i)[0] ?? '',
    ).slice(0, MAX_RETURNED),
  }
}

const parse = (bytes: Buffer): Promise<Email | null> =>
  PostalMime.parse(bytes, {
    attachmentEncoding: 'utf8',
    forceRfc822Attachments: true,
    maxNestingDepth: MAX_DEPTH,
    maxHeadersSize: MAX_BYTES,
  }).catch(() => null)

const toHeads = (mail: Email): Heads => new Map(mail.headers.map(({ key, value }) => [key, value]))

const isEmpty = (mail: Email): boolean => !mail.text?.trim() && !mail.html && mail.attachments.length === 0

/** The body with the boundary that its parts have. */
function withFoundBoundary(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1')
  const body = text.slice(Math.max(0, text.search(/\r?\n\r?\n/)))
  const [, boundary = ''] = /^--([^\s"]{3,200})[ \t]*\r?\nContent-/im.exec(body) ?? []
  return Buffer.from(`Content-Type: multipart/mixed; boundary="${boundary}"\r\n${body}`, 'latin1')
}

function readText({ content, mimeType }: Attachment): string {
  const text = typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString('utf8')
  return /html/i.test(mimeType) ? htmlToText(text) : text
}

function asPlainText(bytes: Buffer): ReportMail {
  const whole = toLines(bytes.toString('utf8'))
  const end = whole.indexOf('\n\n')
  const head = end < 0 ? whole : whole.slice(0, end)
  const headers = parseFields(head)
  const text = whole.slice(Math.max(end, 0)).slice(0, MAX_TEXT)
  return {
    headers,
    subject: headers.get('subject') ?? '',
    text,
    status: [],
    feedback: null,
    disposition: null,
    returned: '',
  }
}

/** Line ends of old Macs, and the line with which mailbox files begin a message, are no part of a message. */
function withLineFeeds(bytes: Buffer): Buffer {
  const start = bytes.subarray(0, 5).toString('latin1') === 'From ' ? bytes.indexOf('\n') + 1 : 0
  const message = bytes.subarray(start)
  if (message.includes('\n') || !message.includes('\r')) return firstLines(message)
  return firstLines(Buffer.from(message.toString('latin1').replaceAll('\r', '\n'), 'latin1'))
}

function firstLines(message: Buffer): Buffer {
  let end = 0
  for (let line = 0; line < MAX_LINES; line++) {
    end = message.indexOf('\n', end) + 1
    if (end === 0) return message
  }
  return message.subarray(0, end)
}

/** Lines as they are looked at: LF, spaces only, Japanese decoded where its charset was not declared. */
function toLines(text: string): string {
  const decoded = text.includes('\u001b$') ? new TextDecoder('iso-2022-jp').decode(Buffer.from(text, 'latin1')) : text
  return decoded
    .replace(/\r\n?/g, '\n')
    .replace(/=\n/g, '')
    .replace(/=(?:20|09)(?=\s)/g, ' ')
    .replace(/[\t\u00a0\u3000\v\f]/g, ' ')
}

/** HTML as lines of text: a line a block. */
function htmlToText(html: string): string {
  const marked = html
    .slice(0, 4 * MAX_TEXT)
    .replace(/<(?:style|script|title)\b[^<>]*>[^<]*<\/(?:style|script|title)>/gi, ' ')
    .replace(/[\r\n]+/g, ' ')
    .replace(/<\/?(?:br|p|div|tr|td|li|ul|ol|table|h[1-6]|blockquote|pre|hr)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>\s@][^<>@]*>/g, ' ')
  return decodeHTML(marked).replace(/ {2,}/g, ' ')
}

/** Fields of a block by lower-case name, the first of each; folded lines are joined (RFC 822). */
export function parseFields(block: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of listFields(block)) if (!fields.has(name)) fields.set(name, value)
  return fields
}

/** Every field of a block in its order, repeated ones too. */
export function listFields(block: string): [string, string][] {
  return block
    .replace(/\n[ \t]+(?=\S)/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, name, value] = /^([\w-]{1,64})[ \t]*:[ \t]*(.*)$/.exec(line.slice(0, 2_000)) ?? []
      return name ? [[name.toLowerCase(), (value ?? '').trim()] as [string, string]] : []
    })
}
