import type { Found } from './lookups.ts'

/** Look-ups of other names that receivers make for one SPF record before they treat it as an error (RFC 7208, 4.6.4). */
const MAX_LOOKUPS = 10
/** Names that are followed to count them: a record with more is wrong in any case. */
const MAX_FOLLOWED = 30

/** What an SPF record amounts to, with everything it includes. */
export interface SpfReport {
  lookups: number
  /** One sentence; null: receivers can use it. */
  problem: string | null
  /** One sentence: a part of it could not be looked up, so nothing is concluded. */
  unknown: string | null
  /** What lets a server send, as written: `include:_spf.example.com`. */
  passes: Set<string>
}

/** The SPF records among the TXT records of a name. */
export const spfRecords = (values: readonly string[]): string[] => values.filter((value) => /^v=spf1( |$)/i.test(value))

const TERM = /^([+?~-]?)([a-z0-9_.-]+)(?:([:=/])(.*))?$/i
const WITH_LOOKUP = ['include', 'a', 'mx', 'ptr', 'exists']
const PLAIN = ['all', 'ip4', 'ip6']

/** Reads the SPF record of a domain and what it includes, in at most 30 queries. */
export async function readSpf(record: string, txt: (name: string) => Promise<Found>): Promise<SpfReport> {
  const report: SpfReport = { lookups: 0, problem: null, unknown: null, passes: new Set() }
  await walk(record, txt, report, true)
  if (report.lookups > MAX_LOOKUPS)
    report.problem = `The SPF record needs ${report.lookups > MAX_FOLLOWED ? `more than ${MAX_FOLLOWED}` : report.lookups} look-ups, and receivers stop at ${MAX_LOOKUPS}: remove servers you no longer use.`
  return report
}

async function walk(
  record: string,
  txt: (name: string) => Promise<Found>,
  report: SpfReport,
  isTop: boolean,
): Promise<void> {
  let redirect: string | undefined
  for (const term of record.trim().split(/ +/).slice(1)) {
    const [, qualifier = '', word = '', sign = '', value = ''] = TERM.exec(term) ?? []
    const name = word.toLowerCase()
    if (sign === '=') {
      if (name === 'redirect') redirect = value
      continue
    }
    if (name === 'all') {
      if (isTop && (qualifier === '' || qualifier === '+'))
        report.problem ??= '+all lets every server send from this domain: replace it with ~all.'
      return
    }
    if (![...WITH_LOOKUP, ...PLAIN].includes(name) || (needsValue(name) && value === '')) {
      report.problem ??= `The SPF record has a part that receivers do not understand: ${term.slice(0, 80)}.`
      return
    }
    if (qualifier === '' || qualifier === '+') report.passes.add(term.replace(/^\+/, '').toLowerCase())
    if (!WITH_LOOKUP.includes(name)) continue
    report.lookups++
    if (name === 'include') await follow(value, txt, report)
    if (report.lookups > MAX_FOLLOWED) return
  }
  if (redirect === undefined) return
  report.lookups++
  await follow(redirect, txt, report)
}

const needsValue = (name: string) => ['include', 'exists', 'ip4', 'ip6'].includes(name)

async function follow(name: string, txt: (name: string) => Promise<Found>, report: SpfReport): Promise<void> {
  // A macro stands for something of each email: what it leads to differs.
  if (name.includes('%') || report.lookups > MAX_FOLLOWED) return
  const found = await txt(name)
  if (found.kind === 'unknown') {
    report.unknown ??= found.text
    return
  }
  const records = found.kind === 'found' ? spfRecords(found.values) : []
  if (records.length === 1) return walk(records[0] ?? '', txt, report, false)
  report.problem ??=
    found.kind === 'broken'
      ? `The SPF record includes ${name}: ${found.text}`
      : records.length > 1
        ? `The SPF record includes ${name}, which has ${records.length} SPF records.`
        : `The SPF record includes ${name}, which has no SPF record.`
}

/** An SPF record with `mechanism` in it, before what it says of all other servers. */
export function withMechanism(record: string, mechanism: string): string {
  const terms = record.trim().split(/ +/)
  const end = terms.findIndex((term) => /^([+?~-]?all|redirect=.*)$/i.test(term))
  return terms.toSpliced(end === -1 ? terms.length : end, 0, mechanism).join(' ')
}
