import type { DomainRecord, DomainState } from '#contracts/senders/domains.ts'
import { readDkim } from './dkim-record.ts'
import { readDmarc } from './dmarc/policy.ts'
import { returnPathName, trackingName } from './domain-name.ts'
import { ed25519Selector } from './keys.ts'
import type { Found, Lookups } from './lookups.ts'
import { readSpf, spfRecords, withMechanism } from './spf.ts'

/** A key as its records need it. */
export interface PublishedKey {
  selector: string
  rsaPublic: string
  ed25519Public: string
  state: 'next' | 'active' | 'retired'
  retiredAt: Date | null
}

/** What a domain's records are made from. */
export interface DomainWishes {
  domain: string
  keys: PublishedKey[]
  /** What lets its mail servers send; empty: nothing is known of them. */
  mechanisms: string[]
  /** Where the installation takes bounces and serves links for other domains; undefined: it does not. */
  returnPathHost: string | undefined
  trackingHost: string | undefined
  /** Why requests for a name that leads to `trackingHost` do not arrive here; null: they do. */
  findHostFault(name: string): Promise<string | null>
  /** Where receivers are to send DMARC reports; undefined: nowhere here. */
  dmarcAddress: string | undefined
}

/** What a look at one record found. */
export interface Finding {
  purpose: DomainRecord['purpose']
  name: string
  /** The value that should stand there, where what is published decides about it. */
  value?: string
  found: string[]
  state: DomainRecord['state']
  message: string
}

type Wanted = Pick<DomainRecord, 'purpose' | 'type' | 'name' | 'value' | 'required' | 'key'> & {
  check(lookups: Lookups): Promise<Omit<Finding, 'purpose' | 'name'>>
}

/** Days that the record of a replaced key stays: mail servers try to deliver an email for up to five. */
export const RETIRED_DAYS = 7
/** How much of what others publish is stored and shown. */
const MAX_SHOWN = 10
const MAX_TEXT = 1_000

/** Looks every record of a domain up. */
export async function lookUp(wishes: DomainWishes, lookups: Lookups): Promise<Finding[]> {
  return Promise.all(
    wantedRecords(wishes).map(async ({ purpose, name, check }) => {
      const finding = await check(lookups)
      const found = finding.found.slice(0, MAX_SHOWN).map((text) => text.slice(0, MAX_TEXT))
      return { purpose, name, ...finding, found }
    }),
  )
}

/** The records of a domain with what the last check found; those that it did not know of yet are unknown. */
export function presentRecords(wishes: DomainWishes, findings: readonly Finding[]): DomainRecord[] {
  return wantedRecords(wishes).map(({ check: _, ...wanted }) => {
    const finding = findings.find(({ purpose, name }) => purpose === wanted.purpose && name === wanted.name)
    if (!finding) return { ...wanted, found: [], state: 'unknown', isChecked: false, message: 'Not checked yet.' }
    const { found, state, message, value = wanted.value } = finding
    return { ...wanted, value, found, state, isChecked: true, message }
  })
}

/** The state that records add up to. What was there before and is missing now is a failure. */
export function sumUp(records: readonly DomainRecord[], wasVerified: boolean): DomainState {
  const required = records.filter((record) => record.required)
  const has = (state: DomainRecord['state']) => required.some((record) => record.state === state)
  if (has('fail') || (wasVerified && has('missing'))) return 'failing'
  if (has('unknown')) return 'unknown'
  return has('missing') ? 'pending' : 'verified'
}

function wantedRecords(wishes: DomainWishes): Wanted[] {
  const { domain, keys, returnPathHost, trackingHost } = wishes
  return [
    ...keys.flatMap((key) =>
      dkimRecords(
        domain,
        key,
        keys.some(({ state }) => state === 'active'),
      ),
    ),
    spfRecord(wishes),
    dmarcRecord(wishes),
    ...(returnPathHost === undefined ? [] : [aliasRecord('return_path', returnPathName(domain), returnPathHost)]),
    ...(trackingHost === undefined ? [] : [trackingRecord(wishes, trackingHost)]),
  ]
}

function dkimRecords(domain: string, key: PublishedKey, isSigned: boolean): Wanted[] {
  const record = (algorithm: 'rsa' | 'ed25519', selector: string, publicKey: string): Wanted => {
    const name = `${selector}._domainkey.${domain}`
    return {
      purpose: 'dkim',
      type: 'TXT',
      name,
      value: `v=DKIM1; k=${algorithm}; p=${publicKey}`,
      // While a new key waits for DNS, the domain is as good as the key that signs.
      required: algorithm === 'rsa' && key.state === (isSigned ? 'active' : 'next'),
      key: key.state,
      async check(lookups) {
        const found = await lookups.txt(name)
        if (found.kind === 'found') return { found: found.values, ...readDkim(found.values, algorithm, publicKey) }
        if (found.kind !== 'none') return { found: [], ...notFound(found) }
        return { found: [], state: 'missing', message: await missingText(lookups, name, domain, algorithm) }
      },
    }
  }
  return [
    record('rsa', key.selector, key.rsaPublic),
    record('ed25519', ed25519Selector(key.selector), key.ed25519Public),
  ]
}

async function missingText(lookups: Lookups, name: string, domain: string, algorithm: string): Promise<string> {
  // Most DNS providers append the domain to what is entered.
  const doubled = `${name}.${domain}`
  if (doubled.length <= 253 && (await lookups.txt(doubled)).kind === 'found')
    return `Published as ${doubled}: enter the name without ${domain}, which your DNS provider appends.`
  return algorithm === 'rsa'
    ? 'Not published yet. Emails are signed once it is.'
    : 'Not published. Recommended: a second signature with a modern key (Ed25519).'
}

const notFound = (found: Exclude<Found, { kind: 'found' }>): Pick<Finding, 'state' | 'message'> =>
  found.kind === 'none'
    ? { state: 'missing', message: 'Not published.' }
    : { state: found.kind === 'broken' ? 'fail' : 'unknown', message: found.text }

function spfRecord({ domain, mechanisms }: DomainWishes): Wanted {
  const value = ['v=spf1', ...mechanisms, '~all'].join(' ')
  return {
    purpose: 'spf',
    type: 'TXT',
    name: domain,
    value,
    required: true,
    key: null,
    async check(lookups) {
      const found = await lookups.txt(domain)
      if (found.kind !== 'found') return { found: [], ...notFound(found) }
      const records = spfRecords(found.values)
      const [record = ''] = records
      if (records.length === 0)
        return { found: [], state: 'missing', message: 'No SPF record. Gmail, Yahoo and Outlook require one.' }
      if (records.length > 1)
        return {
          found: records,
          state: 'fail',
          message: `${records.length === 2 ? 'Two' : records.length} SPF records: receivers ignore ${records.length === 2 ? 'both' : 'all of them'}. Merge them into one.`,
        }
      const { problem, unknown, passes, lookups: count } = await readSpf(record, (name) => lookups.txt(name))
      const left = mechanisms.filter((mechanism) => !passes.has(mechanism))
      const merged = left.reduce(withMechanism, record)
      const result = { found: records, value: merged }
      if (problem !== null) return { ...result, state: 'fail', message: problem }
      if (unknown !== null) return { ...result, state: 'unknown', message: unknown }
      if (left.length > 0)
        return {
          ...result,
          state: 'fail',
          message: `Your mail server is not in the SPF record: add ${left.join(' ')}.`,
        }
      return { ...result, state: 'pass', message: `Published, with ${count} of at most 10 look-ups.` }
    },
  }
}

const dmarcRecord = ({ domain, dmarcAddress }: DomainWishes): Wanted => ({
  purpose: 'dmarc',
  type: 'TXT',
  name: `_dmarc.${domain}`,
  value: `v=DMARC1; p=none${dmarcAddress ? `; rua=mailto:${dmarcAddress}` : ''}`,
  required: true,
  key: null,
  async check(lookups) {
    const { policy: _, ...reading } = await readDmarc(lookups, domain)
    return reading
  },
})

function aliasRecord(purpose: 'return_path' | 'tracking', name: string, host: string): Wanted {
  return {
    purpose,
    type: 'CNAME',
    name,
    value: host,
    required: false,
    key: null,
    async check(lookups) {
      const found = await lookups.cname(name)
      if (found.kind !== 'found') return { found: [], ...notFound(found) }
      const isRight = found.values.some((target) => target.toLowerCase().replace(/\.$/, '') === host)
      return isRight
        ? { found: found.values, state: 'pass', message: 'Published.' }
        : { found: found.values, state: 'fail', message: `It leads to ${found.values[0]} instead of ${host}.` }
    },
  }
}

/** The alias for links, which emails use once requests for it arrive here. */
function trackingRecord({ domain, findHostFault }: DomainWishes, host: string): Wanted {
  const record = aliasRecord('tracking', trackingName(domain), host)
  return {
    ...record,
    async check(lookups) {
      const found = await record.check(lookups)
      if (found.state !== 'pass') return found
      const fault = await findHostFault(record.name)
      return fault === null
        ? { ...found, message: 'Published. Links of your emails use it.' }
        : { ...found, state: 'fail', message: `Published, but links do not use it: ${fault}.` }
    },
  }
}
