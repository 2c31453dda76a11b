import { readTags } from '../dkim-record.ts'
import type { Found, Lookups } from '../lookups.ts'

/** Names above a domain that are asked for its policy at most (RFC 9989). */
const MAX_STEPS = 8

/** What DNS says of a domain's DMARC policy. */
export interface DmarcReading {
  found: string[]
  state: 'pass' | 'fail' | 'missing' | 'unknown'
  message: string
  /** What a valid record asks of receivers; missing: there is none. */
  policy?: { asks: 'none' | 'quarantine' | 'reject'; isDkimStrict: boolean; isSpfStrict: boolean }
}

const policies = (found: Found) =>
  found.kind === 'found' ? found.values.filter((value) => /^v\s*=\s*DMARC1\s*(;|$)/i.test(value)) : []

/** The policy that receivers find for a domain: its own, or else that of the nearest domain above it (RFC 9989, 4.10). */
export async function readDmarc(lookups: Lookups, domain: string): Promise<DmarcReading> {
  const labels = domain.split('.')
  for (let step = 0; step < Math.min(MAX_STEPS, labels.length - 1); step++) {
    const holder = labels.slice(step).join('.')
    const found = await lookups.txt(`_dmarc.${holder}`)
    if (found.kind === 'unknown') return { found: [], state: 'unknown', message: found.text }
    if (found.kind === 'broken') return { found: [], state: 'fail', message: found.text }
    const records = policies(found)
    if (records.length > 0) return judge(records, step === 0 ? '' : holder)
  }
  return { found: [], state: 'missing', message: 'No DMARC record. Gmail, Yahoo and Outlook require one.' }
}

function judge(records: string[], holder: string): DmarcReading {
  const fail = (message: string): DmarcReading => ({ found: records, state: 'fail', message })
  if (records.length > 1) return fail(`${records.length} DMARC records: receivers ignore all of them.`)
  const tags = readTags(records[0] ?? '')
  if (!tags) return fail('The DMARC record is damaged: copy the value again.')
  const policy = (tags.get(holder ? 'sp' : 'p') ?? tags.get('p'))?.toLowerCase()
  if (policy !== 'none' && policy !== 'quarantine' && policy !== 'reject')
    return fail('The DMARC record has no valid policy: add p=none.')
  const of = holder ? `The record of ${holder} applies` : 'Published'
  const strict = tags.get('adkim') === 's' ? ' Alignment is strict (adkim=s): subdomains do not count.' : ''
  return {
    ...{ found: records, state: 'pass', message: `${of}, with the policy ${policy}.${strict}` },
    policy: { asks: policy, isDkimStrict: tags.get('adkim') === 's', isSpfStrict: tags.get('aspf') === 's' },
  }
}
