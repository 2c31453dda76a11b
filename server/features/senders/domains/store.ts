import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { DomainState } from '#contracts/senders/domains.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { DkimKeys, SendingDomains } from '#server/platform/db/types.ts'
import type { SealedKeys } from './keys.ts'
import { type Finding, RETIRED_DAYS } from './records.ts'

export type DomainRow = Omit<Selectable<SendingDomains>, 'findings' | 'state'> & {
  findings: Finding[]
  state: DomainState
}
export type KeyRow = Omit<Selectable<DkimKeys>, 'state'> & { state: 'next' | 'active' | 'retired' }

/** A domain of the workspace; `lock` holds it until the transaction ends. */
export async function domainById(
  db: Db,
  workspaceId: string,
  id: string,
  { lock = false } = {},
): Promise<DomainRow | undefined> {
  const query = db.selectFrom('sendingDomains').where('workspaceId', '=', workspaceId).where('id', '=', id).selectAll()
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) as unknown as DomainRow | undefined
}

/** Domains of the workspace in order of ids, after `after`. */
export async function domainPage(
  db: Db,
  workspaceId: string,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<DomainRow[]> {
  const rows = await db
    .selectFrom('sendingDomains')
    .where('workspaceId', '=', workspaceId)
    .where('id', '>', after ?? '0')
    .selectAll()
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows as unknown as DomainRow[]
}

export async function countDomains(db: Db, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom('sendingDomains')
    .where('workspaceId', '=', workspaceId)
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(row.n)
}

/** Adds a domain; undefined: the workspace has it already. */
export async function insertDomain(db: Db, workspaceId: string, domain: string): Promise<string | undefined> {
  const row = await db
    .insertInto('sendingDomains')
    .values({ workspaceId, domain })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'domain']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Deletes a domain with its keys. Returns its name. */
export async function deleteDomain(db: Db, workspaceId: string, id: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('sendingDomains')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returning('domain')
    .executeTakeFirst()
  return row?.domain
}

/** The keys of domains, the one that signs first. */
export async function findKeys(db: Db, workspaceId: string, domainIds: readonly string[]): Promise<KeyRow[]> {
  if (domainIds.length === 0) return []
  const rows = await db
    .selectFrom('dkimKeys')
    .where('workspaceId', '=', workspaceId)
    .where('domainId', 'in', domainIds)
    .selectAll()
    .orderBy(sql`array_position(array['active', 'next', 'retired'], state)`)
    .orderBy('id', 'desc')
    .execute()
  return rows as KeyRow[]
}

/** Adds a key that signs once DNS has it. One that still waited for DNS has signed nothing, and goes. */
export async function insertKey(db: Db, workspaceId: string, domainId: string, keys: SealedKeys): Promise<void> {
  await db
    .deleteFrom('dkimKeys')
    .where('workspaceId', '=', workspaceId)
    .where('domainId', '=', domainId)
    .where('state', '=', 'next')
    .execute()
  await db
    .insertInto('dkimKeys')
    .values({ workspaceId, domainId, ...keys })
    .execute()
}

/** Notes whether DNS has a key. */
export async function noteKey(
  db: Db,
  { workspaceId, id }: Pick<KeyRow, 'workspaceId' | 'id'>,
  found: { rsaFound?: boolean | undefined; ed25519Found?: boolean | undefined },
): Promise<void> {
  if (found.rsaFound === undefined && found.ed25519Found === undefined) return
  await db.updateTable('dkimKeys').set(found).where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
}

/** The key that waited for DNS signs from now on; the one that signed is retired. */
export async function promoteKey(db: Db, workspaceId: string, domainId: string): Promise<void> {
  for (const [from, to] of [
    ['active', 'retired'],
    ['next', 'active'],
  ] as const)
    await db
      .updateTable('dkimKeys')
      .set({ state: to, ...(to === 'retired' && { retiredAt: sql<Date>`now()` }) })
      .where('workspaceId', '=', workspaceId)
      .where('domainId', '=', domainId)
      .where('state', '=', from)
      .execute()
}

/** Deletes the keys of a domain that were retired long enough ago that no email on its way is signed with them. */
export async function deleteOldKeys(db: Db, workspaceId: string, domainId: string): Promise<void> {
  await db
    .deleteFrom('dkimKeys')
    .where('workspaceId', '=', workspaceId)
    .where('domainId', '=', domainId)
    .where('state', '=', 'retired')
    .where('retiredAt', '<', sql<Date>`now() - make_interval(days => ${RETIRED_DAYS})`)
    .execute()
}

/** Writes what a check found, and when the next one is due. */
export async function noteCheck(
  db: Db,
  { workspaceId, id }: Pick<DomainRow, 'workspaceId' | 'id'>,
  check: { state: DomainState; findings: Finding[]; checks: number; nextSeconds: number },
): Promise<void> {
  const { state, checks, findings, nextSeconds } = check
  const isFound = (purpose: Finding['purpose']): boolean | undefined => {
    const found = findings.find((finding) => finding.purpose === purpose)?.state
    // From unknown nothing is concluded.
    return found === undefined || found === 'unknown' ? undefined : found === 'pass'
  }
  const [returnPathFound, trackingFound] = [isFound('return_path'), isFound('tracking')]
  await db
    .updateTable('sendingDomains')
    .set({
      state,
      checks,
      findings: JSON.stringify(findings),
      checkedAt: sql<Date>`now()`,
      nextCheckAt: sql<Date>`now() + make_interval(secs => ${nextSeconds})`,
      ...(returnPathFound !== undefined && { returnPathFound }),
      ...(trackingFound !== undefined && { trackingFound }),
      ...(state === 'verified' && { verifiedAt: sql<Date>`coalesce(verified_at, (select now()))` }),
    })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** The domains' next check is now. */
export async function hastenCheck(db: Db, workspaceId: string, id: string): Promise<void> {
  await db
    .updateTable('sendingDomains')
    .set({ checks: 0, nextCheckAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Whether the check of any domain is due. */
export const isAnyDue = sql<boolean>`(select min(next_check_at) from sending_domains) <= now()`

/** Takes some domains whose check is due; others leave them alone for the seconds of `leaseSeconds`. */
export async function takeDue(db: Db, limit: number, leaseSeconds: number): Promise<DomainRow[]> {
  const { rows } = await sql<{ workspaceId: string; id: string }>`
    update sending_domains set next_check_at = now() + make_interval(secs => ${leaseSeconds})
    where (workspace_id, id) in (
      select workspace_id, id from sending_domains where next_check_at <= now()
      order by next_check_at limit ${limit}) and next_check_at <= now()
    returning *`.execute(db)
  return rows as unknown as DomainRow[]
}

/** Hosts of the mail servers with which a workspace sends from a domain or one below it; null: the installation's own. */
export async function hostsFor(db: Db, workspaceId: string, domain: string): Promise<(string | null)[]> {
  const senders = await db
    .selectFrom('senders')
    .where('workspaceId', '=', workspaceId)
    .where((eb) =>
      eb.or([
        eb(sql`lower(split_part(from_email, '@', 2))`, '=', domain),
        eb(sql`lower(split_part(from_email, '@', 2))`, 'like', `%.${domain}`),
      ]),
    )
    .select(['host', 'kind', 'isDefault'])
    .orderBy('id')
    .limit(5)
    .execute()
  return senders.map(({ kind, host }) => (kind === 'gmail' ? 'smtp.gmail.com' : host))
}

/** The domain of the workspace that signs for a From domain, the nearest one at or above it; undefined: none. */
export async function findSigningDomain(
  db: Db,
  workspaceId: string,
  fromDomain: string,
): Promise<SigningDomain | undefined> {
  const { rows } = await sql<SigningDomain>`
    select d.domain, k.selector, k.rsa_private_encrypted, k.ed25519_private_encrypted, k.ed25519_found
    from sending_domains d join dkim_keys k on k.workspace_id = d.workspace_id and k.domain_id = d.id
    where d.workspace_id = ${workspaceId} and k.state = 'active' and k.rsa_found
      and (${fromDomain} = d.domain or right(${fromDomain}, length(d.domain) + 1) = '.' || d.domain)
    order by length(d.domain) desc limit 1`.execute(db)
  return rows[0]
}

/** The nearest domain of the workspace at or above a From domain that is verified and takes bounces; undefined: none. */
export const findReturningDomain = (db: Db, workspaceId: string, fromDomain: string) =>
  findVerifiedDomain(db, workspaceId, fromDomain, sql`d.return_path_found`)

/** The same whose name for links is served here. */
export const findTrackingDomain = (db: Db, workspaceId: string, fromDomain: string) =>
  findVerifiedDomain(db, workspaceId, fromDomain, sql`d.tracking_found`)

/** Whether some workspace that is not suspended has verified a domain. */
export async function isVerifiedDomain(db: Db, domain: string): Promise<boolean> {
  const { rows } = await sql`select from sending_domains d
    where d.domain = ${domain} and d.verified_at is not null and d.state in ('verified', 'unknown')
      and exists (select 1 from users u where u.workspace_id = d.workspace_id and u.suspended_at is null) limit 1`.execute(
    db,
  )
  return rows.length > 0
}

async function findVerifiedDomain(
  db: Db,
  workspaceId: string,
  fromDomain: string,
  isFound: RawBuilder<unknown>,
): Promise<string | undefined> {
  const { rows } = await sql<{ domain: string }>`
    select d.domain from sending_domains d
    where d.workspace_id = ${workspaceId} and d.verified_at is not null and d.state in ('verified', 'unknown') and ${isFound}
      and (${fromDomain} = d.domain or right(${fromDomain}, length(d.domain) + 1) = '.' || d.domain)
    order by length(d.domain) desc limit 1`.execute(db)
  return rows[0]?.domain
}

/** What signs an email: a domain with its sealed keys. */
export type SigningDomain = Pick<
  KeyRow,
  'selector' | 'rsaPrivateEncrypted' | 'ed25519PrivateEncrypted' | 'ed25519Found'
> & { domain: string }
