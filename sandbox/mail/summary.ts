import { decodeWords } from 'postal-mime'
import type { NewRow } from './segment.ts'

const HEADER_LIMIT = 256 * 1024
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROLS = /[\u0000-\u001f\u007f]+/g

/** What a list shows of a mail: sender and subject from its header, recipients from the envelope. */
export function summarizeMail(
  mail: { workspace: string | null; from: string; to: string[]; raw: Buffer },
  at: string,
): NewRow {
  const header = readHeader(mail.raw)
  const from = decoded(findHeaderValues(header, 'from')[0] ?? '', 300)
  return {
    workspace: mail.workspace,
    from: from || mail.from,
    to: mail.to,
    subject: decoded(findHeaderValues(header, 'subject')[0] ?? '', 500),
    at,
  }
}

/** Why a mailbox provider would refuse this header, as an SMTP answer: it needs exactly one From with an address. */
export function headerFault(raw: Buffer): string | undefined {
  const senders = findHeaderValues(readHeader(raw), 'from')
  if (senders.length > 1) return '550 5.7.1 More than one From header'
  return senders[0]?.includes('@') ? undefined : '550 5.7.1 No valid address in the From header'
}

function readHeader(raw: Buffer): string {
  const end = raw.indexOf('\r\n\r\n')
  return raw.toString('utf8', 0, Math.min(end < 0 ? raw.length : end, HEADER_LIMIT))
}

function findHeaderValues(header: string, name: string): string[] {
  const values: string[] = []
  for (const found of header.matchAll(new RegExp(`^${name}[ \\t]*:(.*(?:\\r\\n[ \\t].*)*)`, 'gim')))
    values.push(found[1] ?? '')
  return values
}

function decoded(value: string, max: number): string {
  const line = value.replaceAll(/\r\n(?=[ \t])/g, '').trim()
  const text = line.includes('=?') ? decodeWords(line) : line
  return text.replaceAll(CONTROLS, ' ').trim().slice(0, max)
}
