/** Whether emails from a sender would pass the DMARC policy of their From domain, as far as DNS and we know. */
import { parseAddress } from '#contracts/email-address.ts'
import { EgressError, resolvePublicAll } from '#server/platform/egress.ts'
import type { Services } from '#server/services.ts'
import { defaultFrom } from '../credentials.ts'
import type { SendingAccount } from '../sender-kind.ts'
import { readDmarc } from './dmarc/policy.ts'
import { Lookups } from './lookups.ts'
import { findReturnPath } from './return-path.ts'
import { readSpf, spfRecords } from './spf.ts'
import { isListed } from './spf-address.ts'
import { isKnownProvider, mechanismFor, ownMechanism } from './spf-mechanisms.ts'
import { findSigningDomain } from './store.ts'

type AlignmentServices = Pick<Services, 'db' | 'config' | 'smtpUrl' | 'nameServers'>
type Verdict = 'pass' | 'fail' | 'unknown'

/** `fail`: receivers are asked to quarantine or reject these emails; `text` says why, or what is not known. */
export interface DmarcVerdict {
  state: Verdict
  text: string
}

const PASS: DmarcVerdict = { state: 'pass', text: '' }

/** Judges emails of an account by DMARC (RFC 9989): one aligned signature of ours, or an aligned SPF, is enough. */
export async function checkAlignment(
  services: AlignmentServices,
  workspaceId: string,
  account: Pick<SendingAccount, 'signsItself' | 'fromEmail' | 'smtp' | 'isDefault'>,
): Promise<DmarcVerdict> {
  const from = parseAddress(account.fromEmail)
  // A service that signs by itself, such as Gmail, does so for the address of its account.
  if (!from || account.signsItself) return PASS
  const lookups = new Lookups(services.nameServers.servers)
  const { state, message, policy } = await readDmarc(lookups, from.domain)
  if (state === 'unknown')
    return { state, text: `Whether emails from ${from.domain} pass DMARC is unknown: ${message}` }
  if (!policy || policy.asks === 'none') return PASS
  const signing = await findSigningDomain(services.db, workspaceId, from.domain)
  if (signing && (!policy.isDkimStrict || signing.domain === from.domain)) return PASS
  const spf = await judgeSpf(services, workspaceId, account, { lookups, domain: from.domain, ...policy })
  if (spf === 'pass') return PASS
  const asks = `${from.domain} asks receivers to ${policy.asks} emails that fail DMARC`
  if (spf === 'unknown' || mayBeSigned(services, account, from.domain))
    return {
      state: 'unknown',
      text: `${asks}. Whether emails from this sender pass is unknown. To be sure, add ${from.domain} as a sending domain.`,
    }
  return {
    state: 'fail',
    text: `${asks}. Emails from this sender fail: they have no DKIM signature of ${from.domain}, and its SPF record does not name your mail server. Add ${from.domain} as a sending domain and publish its records.`,
  }
}

/** Whether somebody else may sign for the domain: a service the customer set up, or the operator's own server for the operator's domain. */
function mayBeSigned(
  { config }: AlignmentServices,
  { isDefault, smtp }: Pick<SendingAccount, 'isDefault' | 'smtp'>,
  domain: string,
): boolean {
  if (isDefault) return parseAddress(defaultFrom(config.mailFrom))?.domain === domain
  return smtp !== null && isKnownProvider(smtp.host)
}

interface Asked {
  lookups: Lookups
  domain: string
  isSpfStrict: boolean
}

/** Whether SPF of the domain that bounces return to lets the mail server send, and that domain aligns. */
async function judgeSpf(
  services: AlignmentServices,
  workspaceId: string,
  account: Pick<SendingAccount, 'signsItself' | 'fromEmail' | 'smtp' | 'isDefault'>,
  { lookups, domain, isSpfStrict }: Asked,
): Promise<Verdict> {
  const returnPath = await findReturnPath(services, workspaceId, account, account.fromEmail)
  if (returnPath && isSpfStrict) return 'fail'
  const host = account.isDefault ? readHost(services.smtpUrl) : account.smtp?.host
  const mechanism = account.isDefault ? ownMechanism(services.config, services.smtpUrl) : host && mechanismFor(host)
  if (!host || !mechanism) return 'unknown'
  const found = await lookups.txt(returnPath ?? domain)
  if (found.kind === 'unknown') return 'unknown'
  const [record, ...others] = found.kind === 'found' ? spfRecords(found.values) : []
  if (record === undefined || others.length > 0) return 'fail'
  const { passes, problem, unknown } = await readSpf(record, (name) => lookups.txt(name))
  if (problem !== null) return 'fail'
  if (passes.has(mechanism)) return 'pass'
  if (unknown !== null) return 'unknown'
  const addresses = await resolvePublicAll(host, 25, { allow: [host], dnsServers: services.config.dnsServers }).catch(
    (error) => {
      if (error instanceof EgressError) return []
      throw error
    },
  )
  return isListed(
    addresses.map(({ address }) => address),
    passes,
  )
}

const readHost = (url: string | undefined) => (url === undefined ? undefined : new URL(url).hostname)
