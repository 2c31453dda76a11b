/** Reads DMARC aggregate reports (RFC 7489, appendix C; RFC 9990): what a receiver saw of a domain's emails. */
import ipaddr from 'ipaddr.js'
import { SaxesParser } from 'saxes'
import { asciiDomain } from '#contracts/email-address.ts'

export type Disposition = 'none' | 'quarantine' | 'reject'

/** Emails of one address that were judged alike. */
export interface AggregateRow {
  sourceIp: string
  headerFrom: string
  messages: number
  /** Whether SPF and DKIM passed for an aligned domain, as the receiver found. */
  spfAligned: boolean
  dkimAligned: boolean
  disposition: Disposition
  /** The signatures that were valid, as `selector._domainkey.domain`. */
  signatures: string[]
}

export interface AggregateReport {
  /** Who reports, by name. */
  reporter: string
  reportId: string
  /** Milliseconds. */
  begins: number
  ends: number
  /** The domain whose policy was applied, in A-labels and lower case. */
  domain: string
  rows: AggregateRow[]
}

/** Rows of one report: those beyond are not read. */
export const MAX_ROWS = 10_000
const MAX_SIGNATURES = 5
const MAX_TEXT = 1_000
const MAX_DEPTH = 20
/** Characters of an element's name: the path of each element within it holds it again. */
const MAX_NAME = 100
const MAX_COUNT = 1_000_000_000
const DAY_MS = 86_400_000
const PIECE = 64 * 1024

class Unreadable extends Error {}

type Values = Map<string, string>

/** What is read of a report, by the paths of elements: all else may be as much as its writer likes. */
const HEAD_FIELDS = new Set([
  'report_metadata/org_name',
  'report_metadata/report_id',
  'report_metadata/date_range/begin',
  'report_metadata/date_range/end',
  'policy_published/domain',
])
const RECORD_FIELDS = new Set([
  'row/source_ip',
  'row/count',
  'row/policy_evaluated/disposition',
  'row/policy_evaluated/dkim',
  'row/policy_evaluated/spf',
  'identifiers/header_from',
])
const RECORD = 'record/'
const SIGNATURE = 'record/auth_results/dkim/'
const SIGNATURE_FIELDS = new Set(['domain', 'selector', 'result'])
/** Elements around the deepest of them, with the root. */
const FIELD_DEPTH = 5

/** Collects the texts of a report by their path, and calls `onRecord` for each record. */
function walk(xml: Uint8Array, onRecord: (record: Values, signatures: string[]) => void): Values {
  const head: Values = new Map()
  let record: Values = new Map()
  let signature: Values = new Map()
  let signatures: string[] = []
  const path: string[] = []
  let text = ''
  const note = (values: Values, fields: ReadonlySet<string>, name: string) => {
    if (fields.has(name)) values.set(name, text.trim())
  }
  const parser = new SaxesParser({ position: false })
  parser.on('error', () => {
    throw new Unreadable('damaged')
  })
  // Entities are declared there; no reporter needs one.
  parser.on('doctype', () => {
    throw new Unreadable('a document type')
  })
  parser.on('opentag', ({ name }) => {
    if (name.length > MAX_NAME || path.length >= MAX_DEPTH) throw new Unreadable('long names, or too deep')
    path.push(name.slice(name.indexOf(':') + 1).toLowerCase())
    text = ''
  })
  parser.on('text', (piece) => {
    if (text.length < MAX_TEXT) text += piece.slice(0, MAX_TEXT)
  })
  parser.on('closetag', () => {
    const place = path.length > FIELD_DEPTH ? '' : path.slice(1).join('/')
    if (place === 'record') {
      onRecord(record, signatures)
      ;[record, signatures] = [new Map(), []]
    } else if (`${place}/` === SIGNATURE) {
      const [domain = '', selector = ''] = [signature.get('domain'), signature.get('selector')]
      if (signature.get('result') === 'pass' && selector && signatures.length < MAX_SIGNATURES)
        signatures.push(`${selector}._domainkey.${domain}`.toLowerCase())
      signature = new Map()
    } else if (place.startsWith(SIGNATURE)) note(signature, SIGNATURE_FIELDS, place.slice(SIGNATURE.length))
    else if (place.startsWith(RECORD)) note(record, RECORD_FIELDS, place.slice(RECORD.length))
    else if (!head.has(place)) note(head, HEAD_FIELDS, place)
    path.pop()
    text = ''
  })
  const decoder = new TextDecoder()
  for (let at = 0; at < xml.length; at += PIECE)
    parser.write(decoder.decode(xml.subarray(at, at + PIECE), { stream: at + PIECE < xml.length }))
  parser.close()
  return head
}

/** Reads a report; undefined: it is none, damaged, or claims what cannot be. Never throws. */
export function readAggregate(xml: Uint8Array, now = Date.now()): AggregateReport | undefined {
  const rows: AggregateRow[] = []
  let head: Values
  try {
    head = walk(xml, (record, signatures) => {
      const row = rows.length < MAX_ROWS ? toRow(record, signatures) : undefined
      if (row) rows.push(row)
    })
  } catch {
    return undefined
  }
  const [reporter, reportId] = [
    clean(head.get('report_metadata/org_name')),
    clean(head.get('report_metadata/report_id')),
  ]
  const begins = toMoment(head.get('report_metadata/date_range/begin'))
  const ends = toMoment(head.get('report_metadata/date_range/end'))
  const domain = asciiDomain(head.get('policy_published/domain') ?? '')
  if (!reporter || !reportId || !domain || begins === undefined || ends === undefined) return undefined
  // A day is usual. What is older than a year or lies ahead is made up, or of a broken clock.
  if (ends < begins || ends - begins > 32 * DAY_MS || ends > now + 2 * DAY_MS || begins < now - 366 * DAY_MS)
    return undefined
  return { reporter, reportId, begins, ends, domain, rows }
}

const clean = (text = '') =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)

function toMoment(text = ''): number | undefined {
  return /^\d{9,11}$/.test(text) ? Number(text) * 1_000 : undefined
}

function toRow(record: Values, signatures: string[]): AggregateRow | undefined {
  const ip = record.get('row/source_ip') ?? ''
  const count = record.get('row/count') ?? ''
  const evaluated = (name: string) => record.get(`row/policy_evaluated/${name}`)?.toLowerCase()
  if (!ipaddr.isValid(ip) || !/^\d{1,10}$/.test(count)) return undefined
  const disposition = evaluated('disposition')
  return {
    sourceIp: ipaddr.parse(ip).toString(),
    headerFrom: asciiDomain(record.get('identifiers/header_from') ?? '') ?? '',
    messages: Math.min(Number(count), MAX_COUNT),
    spfAligned: evaluated('spf') === 'pass',
    dkimAligned: evaluated('dkim') === 'pass',
    disposition: disposition === 'quarantine' || disposition === 'reject' ? disposition : 'none',
    signatures,
  }
}
