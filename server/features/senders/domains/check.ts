import type { DomainState } from '#contracts/senders/domains.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import { buildDmarcAddress } from './dmarc/report-address.ts'
import { ed25519Selector } from './keys.ts'
import { Lookups } from './lookups.ts'
import { type DomainWishes, type Finding, lookUp, presentRecords, sumUp } from './records.ts'
import { mechanismFor, ownMechanism } from './spf-mechanisms.ts'
import * as store from './store.ts'
import { findHostFault } from './tracking-host.ts'

/** What is needed to show and check domains. */
export type DomainServices = Pick<Services, 'db' | 'config' | 'smtpUrl' | 'nameServers'>

const DAY = 86_400
/** Seconds until a domain is looked at again for the first time, and at most. A verified one is looked at once a day. */
const FIRST = 60
const LAST = 6 * 3_600
/** At most, where the links of emails depend on it. */
const LINKS = 600

/** What a domain's records are made from: its keys, and the mail servers that send from it. */
export async function readWishes(
  { db, config, smtpUrl, nameServers }: DomainServices,
  { workspaceId, id, domain }: Pick<store.DomainRow, 'workspaceId' | 'id' | 'domain'>,
  keys: store.KeyRow[],
): Promise<DomainWishes> {
  const hosts = await store.hostsFor(db, workspaceId, domain)
  const mechanisms = (hosts.length > 0 ? hosts : [null]).map((host) =>
    host === null ? ownMechanism(config, smtpUrl) : mechanismFor(host),
  )
  return {
    domain,
    keys,
    mechanisms: [...new Set(mechanisms.filter((mechanism) => mechanism !== undefined))],
    returnPathHost: config.returnPathHost,
    trackingHost: config.trackingHost,
    findHostFault: (name) => findHostFault(config, nameServers.servers, name),
    dmarcAddress: buildDmarcAddress(config, id),
  }
}

/**
 * Seconds until the next check: soon while somebody waits for it, and ever later the longer nothing changes. `servesLinks`: emails
 * lead to a name of the domain, whose certificate may end.
 */
export function secondsUntilNext(state: DomainState, checks: number, servesLinks = false): number {
  const next = state === 'verified' ? DAY : Math.min(FIRST * 2 ** Math.min(checks, 20), LAST)
  return servesLinks ? Math.min(next, LINKS) : next
}

const isFoundIn = (findings: readonly Finding[], name: string): boolean | undefined => {
  const finding = findings.find((one) => one.purpose === 'dkim' && one.name === name)
  return finding === undefined || finding.state === 'unknown' ? undefined : finding.state === 'pass'
}

/** Notes of each key whether DNS has it. A key that waited for DNS signs once it is there. */
async function noteKeys(db: Db, row: store.DomainRow, keys: store.KeyRow[], findings: Finding[]): Promise<void> {
  for (const key of keys) {
    const rsaFound = isFoundIn(findings, `${key.selector}._domainkey.${row.domain}`)
    const ed25519Found = isFoundIn(findings, `${ed25519Selector(key.selector)}._domainkey.${row.domain}`)
    await store.noteKey(db, key, { rsaFound, ed25519Found })
    if (key.state === 'next' && rsaFound) await store.promoteKey(db, row.workspaceId, row.id)
  }
  await store.deleteOldKeys(db, row.workspaceId, row.id)
}

/** Looks a domain's records up and stores what was found. Nothing of it happens in a transaction that is open meanwhile. */
export async function checkDomain(services: DomainServices, { workspaceId, id }: store.DomainRow): Promise<void> {
  const { db, nameServers } = services
  const row = await store.domainById(db, workspaceId, id)
  if (!row) return
  const keys = await store.findKeys(db, workspaceId, [id])
  const findings = await lookUp(await readWishes(services, row, keys), new Lookups(nameServers.servers))
  await db.transaction().execute(async (db) => {
    const current = await store.domainById(db, workspaceId, id, { lock: true })
    if (!current) return
    await noteKeys(db, current, await store.findKeys(db, workspaceId, [id]), findings)
    const wishes = await readWishes({ ...services, db }, current, await store.findKeys(db, workspaceId, [id]))
    const state = sumUp(presentRecords(wishes, findings), current.verifiedAt !== null)
    const servesLinks = findings.some((finding) => finding.purpose === 'tracking' && finding.state === 'pass')
    const checks = state === current.state ? current.checks + 1 : 0
    await store.noteCheck(db, current, {
      state,
      findings,
      checks,
      nextSeconds: secondsUntilNext(state, checks, servesLinks),
    })
  })
}
