import { type RawBuilder, sql } from 'kysely'
import type { Suppression } from '#contracts/contacts/suppressions.ts'
import type { AttributeValue, Recipient } from '#server/engine/index.ts'
import { isSampleContact, listStanding, ownFirst } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { withoutWays } from '#server/platform/db/planner.ts'
import { isSpread, onNode, timeNow } from '#server/platform/db/spread.ts'
import { joinOrigin } from '../origins.ts'

/**
 * Seconds a claim is its worker's after it was last renewed. Then others may take it over. Longer than the watchdog of a
 * thread waits (30 s): the message that hangs a thread is failed by its own process before another one takes it.
 */
export const LEASE_SECONDS = 45

/** One message taken for sending, with what is needed to write it and to decide about another try. */
export interface Claimed {
  id: string
  email: string
  name: string
  phone: string | null
  /** How a person who hides their number is identified; null: their number is known, or they have none. */
  bsuid: string | null
  attributes: Record<string, AttributeValue>
  attempts: number
  firstAttemptAt: Date | null
  origin: NonNullable<Recipient['origin']> | null
  follows?: Recipient['follows']
}

/** A claim by its key. */
export interface ClaimKey {
  id: string
  workspaceId: string
}

export interface Claim extends ClaimKey {
  messages: Claimed[]
  /** Messages skipped in this turn, because nobody may write to these people any more. */
  suppressed: number
}

/** What a channel reaches the contact `c` by, and what else bars one. */
export interface Reach {
  /** What is noted as the message's address; null where the channel cannot reach the contact. */
  address: RawBuilder<unknown>
  /** The keys of the contact among suppressed addresses, and the kind of these. */
  keys: RawBuilder<unknown>
  suppressed: Suppression['channel']
  /** Why, as the message says it, of the suppression `s`; missing: the reason it has. */
  suppressedFor?: RawBuilder<unknown>
  /** Further branches of the `case` whose result is why one is not written to, over `c` and what `joins` adds. */
  obstacles?: RawBuilder<unknown>
  joins?: RawBuilder<unknown>
}

/** How messages of a campaign are claimed. */
export interface ClaimOptions {
  reach: Reach
  /** At most so many. */
  limit: number
  /** Written down with each message, where a campaign goes through several senders. */
  senderId?: string | undefined
  /** Only messages that are to leave through `senderId`. */
  isOfSender?: boolean
}

interface ClaimedRow extends Omit<Claimed, 'email' | 'origin' | 'follows'> {
  originUrl: string | null
  originAt: Date | null
  email: string | null
  state: string
  claimId: string | null
}

/**
 * Takes up to `limit` messages of a campaign that are due: those never tried first, then those whose next try has come.
 * A recipient who was suppressed, removed or has left every list of the campaign in the meantime is marked in the same statement,
 * so that an unsubscribe holds from the moment it was said. One whom a segment alone brought is barred by having left all lists. Rows another worker takes are passed over.
 * One statement, so that it takes what it sees. It is written so that no statistics, however old, lead the planner to read whole
 * tables or to sort all that is due: it walks along messages_due (withoutWays), the rows that were locked are changed by their
 * place (ctid), and what is known about a person is looked up row by row (lateral, limit 1).
 */
export async function claimMessages(
  { db, worker, home }: { db: Db; worker: string; home: string },
  campaign: { id: string; workspaceId: string; tellsOrigins: boolean },
  { reach, limit, senderId, isOfSender = false }: ClaimOptions,
): Promise<Claim | undefined> {
  // Most campaigns have nothing to tell, and look nothing up.
  const { tellsOrigins } = campaign
  const { address, keys, suppressed, suppressedFor = sql`s.reason`, obstacles = sql``, joins = sql`` } = reach
  // Where tables are spread, a place says nothing to the coordinator.
  const place = isSpread() ? sql`m.id` : sql`m.ctid`
  const isItsRow = isSpread()
    ? sql`m.id = who.place and m.id = any(array(select id from picked))`
    : sql`m.ctid = who.place`
  // A row that changed between the snapshot and its lock has a place this statement does not see: it stays due, and no claim names it.
  const seen = isSpread()
    ? sql``
    : sql`cross join lateral (select from messages where ctid = picked.place limit 1) seen`
  const take = (db: Db) =>
    sql<ClaimedRow>`
    with picked as materialized (
      select ${place} as place, m.id, m.contact_id, m.by_segment from messages m
      where m.campaign_id = ${campaign.id} and m.due_at is not null and m.due_at <= now() ${onNode('m.workspace_id', campaign.workspaceId)} ${isOfSender ? sql`and m.sender_id = ${senderId}` : sql``}
      order by m.due_at, m.id limit ${limit} for update skip locked
    ), who as materialized (
      select picked.place, picked.id, ${address} as address, c.email, c.name, c.phone, c.bsuid, c.attributes, ${tellsOrigins ? sql`origin.source_url, origin.found_at` : sql`null as source_url, null::timestamptz as found_at`},
        case
          when c.id is null or ${address} is null then 'removed'
          when ${isSampleContact} then 'sample'
          when s.id is not null then ${suppressedFor}
          when not picked.by_segment and member.found is null then 'left_list'
          when standing.obstacle is not null then standing.obstacle
          ${obstacles}
        end as obstacle
      from picked ${seen}
      left join lateral (
        select * from contacts where workspace_id = ${campaign.workspaceId} and id = picked.contact_id limit 1
      ) c on true
      left join lateral (
        select id, reason from suppressions
        where workspace_id = ${campaign.workspaceId} and channel = ${suppressed} and address_key in (${keys}) order by ${ownFirst} limit 1
      ) s on true
      left join lateral (
        select true as found from list_members
        where not picked.by_segment and workspace_id = ${campaign.workspaceId} and list_id = any(array(
            select list_id from campaign_lists where workspace_id = ${campaign.workspaceId} and campaign_id = ${campaign.id}))
          and contact_id = picked.contact_id and status = 'confirmed' limit 1
      ) member on true
      left join lateral (
        select ${listStanding(sql`status`)} as obstacle from list_members
        where picked.by_segment and workspace_id = ${campaign.workspaceId} and contact_id = picked.contact_id having count(*) > 0
      ) standing on true
      ${tellsOrigins ? joinOrigin(campaign) : sql``}
      ${joins}
    ), claim as (
      insert into claims (workspace_id, campaign_id, worker, journal_home, message_ids)
      select ${campaign.workspaceId}::bigint, ${campaign.id}::bigint, ${worker}, ${home}, array_agg(id) from who where obstacle is null having count(*) > 0
      returning id
    )
    update messages m set
      state = case when who.obstacle is null then 'claimed' else 'suppressed' end,
      reason = coalesce(who.obstacle, ''),
      claim_id = case when who.obstacle is null then (select id from claim) end,
      address = coalesce(who.address, m.address),
      due_at = null ${senderId ? sql`, sender_id = ${senderId}` : sql``}
    from who where ${isItsRow} ${onNode('m.workspace_id', campaign.workspaceId)}
    returning m.claim_id, m.id, m.state, m.attempts, m.first_attempt_at, who.email, coalesce(who.name, '') as name, who.phone, who.bsuid,
      coalesce(who.attributes, '{}') as attributes, who.source_url as origin_url, who.found_at as origin_at`.execute(db)
  const { rows } = await (isSpread() ? take(db) : withoutWays(db, ['sort', 'bitmapscan', 'seqscan'], take))
  if (rows.length === 0) return undefined
  const messages = rows
    .filter((row) => row.state === 'claimed')
    .map(({ state: _, claimId: _c, originUrl, originAt, ...row }) => ({
      ...row,
      email: row.email ?? '',
      origin: originUrl && originAt ? { url: originUrl, at: originAt } : null,
    }))
  const id = rows.find((row) => row.claimId)?.claimId ?? ''
  return { id, workspaceId: campaign.workspaceId, messages, suppressed: rows.length - messages.length }
}

/** Gives messages of a claim back to the queue: they were never handed over. Those tried before go on waiting as deferred. */
async function releaseMessages(db: Db, { id, workspaceId }: ClaimKey): Promise<void> {
  await sql`
    update messages set state = case when attempts = 0 then 'queued' else 'deferred' end, claim_id = null, due_at = now()
    where workspace_id = ${workspaceId}
      and id = any((select message_ids from claims where workspace_id = ${workspaceId} and id = ${id})::bigint[])
      and claim_id = ${id} and state = 'claimed'`.execute(db)
}

/** Puts messages of a claim back, each with the time it is due. Those tried before go on waiting as deferred. */
export async function postpone(db: Db, claim: ClaimKey, postponed: { id: string; until: Date }[]): Promise<void> {
  if (postponed.length === 0) return
  const ids = postponed.map(({ id }) => id)
  await sql`
    update messages m set state = case when attempts = 0 then 'queued' else 'deferred' end, claim_id = null, due_at = p.until
    from unnest(${ids}::bigint[], ${postponed.map(({ until }) => until)}::timestamptz[]) as p (id, until)
    where m.id = p.id and m.id = any(${ids}::bigint[]) ${onNode('m.workspace_id', claim.workspaceId)}
      and m.claim_id = ${claim.id} and m.state = 'claimed'`.execute(db)
}

/** Ends a claim: what is still claimed goes back (`left`: there may be some), and the claim is gone. */
export async function endClaim(db: Db, claim: ClaimKey, left = true): Promise<void> {
  if (!left) return deleteClaim(db, claim)
  await db.transaction().execute(async (db) => {
    await releaseMessages(db, claim)
    await deleteClaim(db, claim)
  })
}

/** Forgets a claim none of whose messages is claimed any more. */
export async function deleteClaim(db: Db, { id, workspaceId }: ClaimKey): Promise<void> {
  await db.deleteFrom('claims').where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
}

/**
 * Ends a claim as its own worker, as endClaim does. Returns false, and ends nothing, where others gave it up while this worker was
 * cut off from the database: messages that never left are unconfirmed by now, and its journal is what says so (recover.ts).
 */
export async function endOwnClaim(db: Db, claim: ClaimKey, left: boolean): Promise<boolean> {
  if (!left) {
    await deleteClaim(db, claim)
    return true
  }
  return db.transaction().execute(async (db) => {
    const { id, workspaceId } = claim
    const query = db.selectFrom('claims').where('workspaceId', '=', workspaceId).where('id', '=', id)
    if ((await query.select('givenUpAt').forUpdate().executeTakeFirst())?.givenUpAt) return false
    await releaseMessages(db, claim)
    await deleteClaim(db, claim)
    return true
  })
}

/**
 * Takes over a claim to settle it: from here on its worker cannot keep it alive. `isGone`: its worker certainly ended; else
 * only once its lease is over. undefined: it has ended, or is held by its worker or by another one who settles it.
 */
export async function takeOver(db: Db, id: string, isGone: boolean) {
  const silent = sql<boolean>`alive_at < ${timeNow()} - make_interval(secs => ${LEASE_SECONDS})
    and (taken_at is null or taken_at < ${timeNow()} - make_interval(secs => ${LEASE_SECONDS}))`
  return db
    .updateTable('claims')
    .set({ takenAt: timeNow() })
    .where('id', '=', id)
    .where(isGone ? sql<boolean>`true` : silent)
    .returningAll()
    .executeTakeFirst()
}

/** Claims that look left behind: of our own home when silent for `silentSeconds`, of other homes when silent far longer. */
export function silentClaims(db: Db, journalHome: string, ours: boolean, silentSeconds: number) {
  return db
    .selectFrom('claims')
    .where('journalHome', ours ? '=' : '<>', journalHome)
    .where('aliveAt', '<', sql<Date>`${timeNow()} - make_interval(secs => ${silentSeconds})`)
    .where('givenUpAt', 'is', null)
    .select(['id'])
    .execute()
}

/** Forgets claims given up so long ago that their workers are not expected back. */
export async function forgetGivenUp(db: Db): Promise<void> {
  await sql`delete from claims where given_up_at < now() - interval '30 days'`.execute(db)
}
