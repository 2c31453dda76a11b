import type { StoredMessage } from '../accounts.ts'
import { addressesIn, parseHeaders } from '../message.ts'
import { formatImapString, type ImapWord } from './words.ts'

const MACROS: Record<string, string[]> = {
  FAST: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE'],
  ALL: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE', 'ENVELOPE'],
}
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const LABELS: Record<string, string> = { INBOX: '\\Inbox', SENT: '\\Sent', DRAFT: '\\Draft', UNREAD: '' }

/** The items a FETCH asks for, one by one. undefined: something that is not offered. */
export function parseFetchItems(asked: ImapWord | undefined): string[] | undefined {
  const words = Array.isArray(asked) ? asked : [asked]
  const items = words.flatMap((word) => (typeof word === 'string' ? (MACROS[word.toUpperCase()] ?? [word]) : []))
  return items.length > 0 && items.every((item) => formatFetchItem(SAMPLE, item) !== undefined) ? items : undefined
}

const SAMPLE: StoredMessage = {
  id: '1',
  threadId: '1',
  labelIds: [],
  at: 0,
  historyId: 0,
  uid: 1,
  raw: Buffer.from('\r\n\r\n'),
}

/** The answer to a FETCH for one message, in Latin-1: each character one byte. */
export function fetched(message: StoredMessage, number: number, items: string[]): string {
  const values = items.map((item) => `${toItemName(item)} ${formatFetchItem(message, item) ?? 'NIL'}`)
  return `* ${number} FETCH (${values.join(' ')})\r\n`
}

/** As it is named in the answer: without the wish not to mark it as read, and of a piece only where it begins. */
const toItemName = (item: string) =>
  item
    .toUpperCase()
    .replace(/^BODY\.PEEK/, 'BODY')
    .replace(/<(\d+)\.\d+>$/, '<$1>')

function formatFetchItem(message: StoredMessage, item: string): string | undefined {
  const { id, threadId, labelIds, at, uid, raw } = message
  switch (item.toUpperCase()) {
    case 'UID':
      return String(uid)
    case 'FLAGS':
      return formatFlags(message)
    case 'INTERNALDATE':
      return formatInternalDate(at)
    case 'RFC822.SIZE':
      return String(raw.length)
    case 'ENVELOPE':
      return buildEnvelope(raw)
    case 'X-GM-MSGID':
      return BigInt(`0x${id}`).toString()
    case 'X-GM-THRID':
      return BigInt(`0x${threadId}`).toString()
    case 'X-GM-LABELS': {
      const labels = labelIds.map((label) => LABELS[label] ?? label).filter(Boolean)
      return `(${labels.map(formatImapString).join(' ')})`
    }
  }
  return readSection(raw, item)
}

const formatFlags = ({ labelIds }: StoredMessage) =>
  `(${[...(labelIds.includes('UNREAD') ? [] : ['\\Seen']), ...(labelIds.includes('DRAFT') ? ['\\Draft'] : [])].join(' ')})`

function formatInternalDate(at: number): string {
  const date = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  const clock = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':')
  return `"${two(date.getUTCDate())}-${MONTHS[date.getUTCMonth()]}-${date.getUTCFullYear()} ${clock} +0000"`
}

/** BODY[], BODY[HEADER], BODY[TEXT] or BODY[HEADER.FIELDS (…)], whole or a piece of it. */
function readSection(raw: Buffer, item: string): string | undefined {
  const [, section, from, length] = /^BODY(?:\.PEEK)?\[([^\]]*)\](?:<(\d+)\.(\d+)>)?$/i.exec(item) ?? []
  if (section === undefined) return undefined
  const all = raw.toString('latin1')
  const middle = all.indexOf('\r\n\r\n')
  const end = middle < 0 ? all.length : middle + 4
  const [, fields] = /^HEADER\.FIELDS \(([^)]*)\)$/i.exec(section) ?? []
  const text =
    fields !== undefined
      ? headerFields(all.slice(0, end), fields)
      : { '': all, HEADER: all.slice(0, end), TEXT: all.slice(end) }[section.toUpperCase()]
  if (text === undefined) return undefined
  const piece = from === undefined ? text : text.slice(Number(from), Number(from) + Number(length))
  return `{${piece.length}}\r\n${piece}`
}

/** The header fields with these names as they stand, folded lines too, and the empty line behind them. */
function headerFields(header: string, names: string): string {
  const wanted = new Set(
    names
      .split(' ')
      .filter(Boolean)
      .map((name) => name.replaceAll('"', '').toLowerCase()),
  )
  const fields = header.match(/^[^\s:][^:\r\n]*:.*(?:\r\n[ \t].*)*/gm) ?? []
  const kept = fields.filter((field) => wanted.has(field.slice(0, field.indexOf(':')).trim().toLowerCase()))
  return `${kept.map((field) => `${field}\r\n`).join('')}\r\n`
}

/** RFC 3501: date, subject, from, sender, reply-to, to, cc, bcc, in-reply-to, message-id. */
function buildEnvelope(raw: Buffer): string {
  const headers = parseHeaders(raw)
  const text = (name: string) => formatImapString(headers.get(name) ?? null)
  const people = (name: string) => {
    const list = addressesIn(headers.get(name) ?? headers.get('from') ?? '')
    const shown = list.map((address) => {
      const cut = address.lastIndexOf('@')
      return `(NIL NIL ${formatImapString(address.slice(0, cut))} ${formatImapString(address.slice(cut + 1))})`
    })
    return shown.length > 0 && (headers.has(name) || name === 'sender' || name === 'reply-to')
      ? `(${shown.join('')})`
      : 'NIL'
  }
  const parties = ['from', 'sender', 'reply-to', 'to', 'cc', 'bcc'].map(people)
  return `(${text('date')} ${text('subject')} ${parties.join(' ')} ${text('in-reply-to')} ${text('message-id')})`
}
