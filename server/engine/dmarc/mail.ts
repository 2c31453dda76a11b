import PostalMime from 'postal-mime'
import { type AggregateReport, readAggregate } from './aggregate.ts'
import { unpackXml } from './unpack.ts'

const MAX_PARTS = 5
const MAX_HEADERS = 256 * 1024

/** Whether the beginning of an email looks like one with an aggregate report: its subject (RFC 7489, 7.2.1.1) or file name says so. */
export function looksLikeAggregate(head: string): boolean {
  const start = head.slice(0, 64 * 1024)
  const subject = /^subject:.*/im.exec(start)?.[0].slice(0, 300).toLowerCase() ?? ''
  // domain!begin!end, as files are named.
  return /\breport[ _-]domain/.test(subject) || /!\d{9,11}!\d{9,11}/.test(start)
}

/** The aggregate report that an email carries as XML, in gzip or in a ZIP archive; undefined: none. Never rejects. */
export async function readAggregateMail(raw: Uint8Array): Promise<AggregateReport | undefined> {
  const mail = await PostalMime.parse(raw, { maxNestingDepth: 10, maxHeadersSize: MAX_HEADERS }).catch(() => null)
  const parts: Uint8Array[] = []
  for (const { content } of mail?.attachments ?? [])
    if (parts.length < MAX_PARTS)
      parts.push(typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content as ArrayBuffer))
  if (mail?.text?.trimStart().startsWith('<')) parts.push(Buffer.from(mail.text))
  for (const part of parts) {
    const xml = unpackXml(part)
    const report = xml && readAggregate(xml)
    if (report) return report
  }
  return undefined
}
