import type { SendingDomain } from '#contracts/senders/domains.ts'
import { requireRoomForDomain } from '#server/features/billing/index.ts'
import { audit } from '#server/platform/audit.ts'
import { takePage } from '#server/platform/http/page.ts'
import { conflict, notFound, tooMany } from '#server/platform/http/refusal.ts'
import { throttle } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'
import { endPausesOfDomain } from '../receivers/pauses.ts'
import { senderParts } from '../sender-parts.ts'
import { checkDomain, type DomainServices, readWishes } from './check.ts'
import { readDomain } from './domain-name.ts'
import { generateKeys } from './keys.ts'
import { presentRecords } from './records.ts'
import * as store from './store.ts'

type DomainContext = DomainServices & Pick<Services, 'queue'>

const HOUR = 3_600
const KEYS_AN_HOUR = 20
const CHECKS_AN_HOUR = 120

/** New keys cost computing, and looks at DNS packets to servers of others' choice. */
async function limit({ db }: DomainContext, workspaceId: string, what: 'keys' | 'checks'): Promise<void> {
  const most = what === 'keys' ? KEYS_AN_HOUR : CHECKS_AN_HOUR
  const tries = await throttle(db, `domain-${what}:${workspaceId}`, most, HOUR)
  if (!tries.ok)
    throw tooMany(
      `Too many ${what === 'keys' ? 'new DKIM keys' : 'checks of domains'}. Wait a few minutes, then try again.`,
      tries.wait,
    )
}

async function present(context: DomainContext, row: store.DomainRow): Promise<SendingDomain> {
  const { db, nameServers } = context
  const keys = await store.findKeys(db, row.workspaceId, [row.id])
  return {
    id: row.id,
    domain: row.domain,
    state: row.state,
    signs: keys.some(({ state, rsaFound }) => state === 'active' && rsaFound),
    records: presentRecords(await readWishes(context, row, keys), row.findings),
    sandbox: nameServers.sandbox,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    nextCheckAt: row.nextCheckAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  }
}

async function findDomain({ db }: DomainContext, workspaceId: string, id: string): Promise<store.DomainRow> {
  const row = await store.domainById(db, workspaceId, id)
  if (!row) throw notFound('Sending domain')
  return row
}

/** A sending domain with its records. Throws Refusal 404. */
export async function showDomain(context: DomainContext, workspaceId: string, id: string): Promise<SendingDomain> {
  return present(context, await findDomain(context, workspaceId, id))
}

/** A page of the workspace's sending domains. */
export async function listDomains(
  context: DomainContext,
  workspaceId: string,
  page: { limit: number; cursor?: string | undefined },
) {
  const rows = await store.domainPage(context.db, workspaceId, { limit: page.limit + 1, after: page.cursor })
  const { items, nextCursor } = takePage(rows, page.limit)
  return {
    items: await Promise.all(items.map((row) => present(context, row))),
    nextCursor,
    total: await store.countDomains(context.db, workspaceId),
  }
}

/**
 * Adds a domain with a key of its own, also where another workspace has the same domain: who publishes the key controls the
 * DNS. It is checked in the background. Throws Refusal 400, 402, 409 or 429.
 */
export async function addDomain(context: DomainContext, workspaceId: string, written: string): Promise<SendingDomain> {
  const domain = readDomain(written)
  await limit(context, workspaceId, 'keys')
  const keys = await generateKeys(context.config.secretKey, workspaceId, domain)
  const id = await context.db.transaction().execute(async (db) => {
    await requireRoomForDomain(db, workspaceId)
    const id = await store.insertDomain(db, workspaceId, domain)
    if (id === undefined) throw conflict('domain_exists', `${domain} is one of your sending domains already.`)
    await store.insertKey(db, workspaceId, id, keys)
    await audit(db, { action: 'domain_added', subject: domain, workspaceId, details: { selector: keys.selector } })
    return id
  })
  return showDomain(context, workspaceId, id)
}

/**
 * Looks a domain's records up now. Where they are right, receivers that refused its senders for lack of authentication are tried again.
 * Throws Refusal 404 or 429.
 */
export async function recheckDomain(
  context: DomainContext & Pick<Services, 'live'>,
  workspaceId: string,
  id: string,
): Promise<SendingDomain> {
  const row = await findDomain(context, workspaceId, id)
  await limit(context, workspaceId, 'checks')
  await checkDomain(context, row)
  const checked = await showDomain(context, workspaceId, id)
  if (checked.state !== 'verified') return checked
  const senderIds = await endPausesOfDomain(context.db, workspaceId, checked.domain)
  if (senderIds.length > 0) for (const part of senderParts()) await part.sendWaiting(context, workspaceId, senderIds)
  return checked
}

/** Makes a new key beside the one that signs. Throws Refusal 404 or 429. */
export async function rotateKey(context: DomainContext, workspaceId: string, id: string): Promise<SendingDomain> {
  const { domain } = await findDomain(context, workspaceId, id)
  await limit(context, workspaceId, 'keys')
  const keys = await generateKeys(context.config.secretKey, workspaceId, domain)
  await context.db.transaction().execute(async (db) => {
    if (!(await store.domainById(db, workspaceId, id, { lock: true }))) throw notFound('Sending domain')
    await store.insertKey(db, workspaceId, id, keys)
    await store.hastenCheck(db, workspaceId, id)
    await audit(db, { action: 'domain_changed', subject: domain, workspaceId, details: { selector: keys.selector } })
  })
  return showDomain(context, workspaceId, id)
}

/** Deletes a domain and its keys. Throws Refusal 404. */
export async function removeDomain({ db }: DomainContext, workspaceId: string, id: string): Promise<void> {
  await db.transaction().execute(async (db) => {
    const domain = await store.deleteDomain(db, workspaceId, id)
    if (domain === undefined) throw notFound('Sending domain')
    await audit(db, { action: 'domain_removed', subject: domain, workspaceId })
  })
}
