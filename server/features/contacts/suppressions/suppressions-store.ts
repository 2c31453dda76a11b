/** The writes of suppressions and of what they end, for every feature that learns why an address must not be sent to. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { holdsContact } from '../bulk/bulk-store.ts'

export type Channel = 'email' | 'whatsapp'

/**
 * Suppresses an address; one suppressed already stays as it is, but for the person's own word: an unsubscribe or a complaint replaces
 * any other reason, and said again it has its time and note. A complaint stays. `key`: the address as it is compared.
 */
export async function suppress(
  db: Db,
  workspaceId: string,
  given: { channel: Channel; address: string; key: string; reason: string; note?: string; campaignId?: string },
): Promise<void> {
  const { channel, address, key, reason, note = '', campaignId = null } = given
  await sql`insert into suppressions as s (workspace_id, channel, address, address_key, reason, note, campaign_id)
    values (${workspaceId}, ${channel}, ${address}, ${key}, ${reason}, ${note}, ${campaignId})
    on conflict (workspace_id, channel, address_key) do update set
        reason = case when s.reason = 'unsubscribe' then s.reason else excluded.reason end, note = excluded.note,
        campaign_id = coalesce(excluded.campaign_id, s.campaign_id), at = excluded.at
      where s.reason <> 'complaint' and excluded.reason in ('unsubscribe', 'complaint')`.execute(db)
}

/** Suppresses these contacts on a channel, as addresses that do not exist unless told, each with a note; who has no address there is skipped. */
export async function suppressBounced(
  db: Db,
  workspaceId: string,
  channel: Channel,
  bounced: { contactId: string; note: string; campaignId?: string | null }[],
  reason: 'hard_bounce' | 'soft_bounce' = 'hard_bounce',
): Promise<void> {
  if (bounced.length === 0) return
  const [address, key] = channel === 'email' ? [sql`c.email`, sql`c.email_key`] : [sql`c.phone`, sql`c.phone`]
  const ids = bounced.map(({ contactId }) => contactId)
  // The ids are said twice: as a list they lead the planner to the index.
  await sql`
    insert into suppressions (workspace_id, channel, address, address_key, reason, note, campaign_id)
    select c.workspace_id, ${channel}, ${address}, ${key}, ${reason}, b.note, b.campaign_id
    from unnest(${ids}::bigint[], ${bounced.map(({ note }) => note)}::text[],
      ${bounced.map(({ campaignId }) => campaignId ?? null)}::bigint[]) as b (contact_id, note, campaign_id)
    join contacts c on c.id = b.contact_id
    where c.workspace_id = ${workspaceId} and c.id = any(${ids}::bigint[]) and ${key} is not null
    on conflict do nothing`.execute(db)
}

/** Unsubscribes an email address from the whole workspace. Any other reason but a complaint becomes the person's own word, which nobody lifts. */
export async function unsubscribe(
  db: Db,
  workspaceId: string,
  given: { address: string; key: string; campaignId: string | null },
): Promise<void> {
  await sql`
    insert into suppressions as s (workspace_id, channel, address, address_key, reason, campaign_id)
    values (${workspaceId}, 'email', ${given.address}, ${given.key}, 'unsubscribe', ${given.campaignId})
    on conflict (workspace_id, channel, address_key) do update set reason = 'unsubscribe', campaign_id = excluded.campaign_id, at = excluded.at
      where s.reason <> 'complaint'`.execute(db)
  await leaveLists(db, workspaceId, [given.key])
}

/**
 * Lifts the unsubscribes of these addresses on a channel, because the person said so. `until`: only those said before it,
 * give or take a second. Returns whether there was one.
 */
export async function liftUnsubscribes(
  db: Db,
  workspaceId: string,
  channel: Channel,
  keys: string[],
  until?: Date | string,
): Promise<boolean> {
  if (keys.length === 0) return false
  const { numAffectedRows } = await sql`
    delete from suppressions where workspace_id = ${workspaceId} and channel = ${channel} and address_key = any(${keys}::text[])
      and reason = 'unsubscribe' ${until === undefined ? sql`` : sql`and at <= ${until}::timestamptz + interval '1 second'`}`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0) > 0
}

/** Takes everybody who has one of the email addresses off every list of the workspace: subscribing to one again opens no other. */
export async function leaveLists(db: Db, workspaceId: string, addressKeys: readonly string[]): Promise<void> {
  if (addressKeys.length === 0) return
  await sql`
    update list_members set status = 'unsubscribed', at = now()
    where workspace_id = ${workspaceId} and status <> 'unsubscribed' and contact_id = any(array(
      select c.id from unnest(${addressKeys}::text[]) as given (key)
      cross join lateral (select id from contacts where workspace_id = ${workspaceId} and email_key = given.key limit 1) c))`.execute(
    db,
  )
}

/** Takes a contact off these lists, because the person said so: also one that the workspace took off before has left by itself now. */
export async function leaveSomeLists(db: Db, workspaceId: string, contactId: string, listIds: string[]): Promise<void> {
  await sql`update list_members set status = 'unsubscribed', at = now()
    where workspace_id = ${workspaceId} and contact_id = ${contactId} and list_id = any(${listIds}::bigint[])`.execute(
    db,
  )
}

/**
 * Takes a contact off the lists a campaign went to, because the person said so, as above: also off one that a change of many took them
 * off, which would put them back on it where it is undone.
 */
export async function leaveCampaignLists(
  db: Db,
  { workspaceId, campaignId, contactId }: { workspaceId: string; campaignId: string; contactId: string },
): Promise<void> {
  await sql`
    insert into list_members (workspace_id, list_id, contact_id, status)
    select ${workspaceId}::bigint, l.list_id, c.id, 'unsubscribed' from campaign_lists l
    join contacts c on c.workspace_id = ${workspaceId} and c.id = ${contactId}
    where l.workspace_id = ${workspaceId} and l.campaign_id = ${campaignId} and exists (
      select 1 from contact_jobs j join contact_job_slices s on ${holdsContact(workspaceId, contactId)}
      where j.workspace_id = ${workspaceId} and j.action = 'removeFromList' and j.value #>> '{}' = l.list_id::text)
    on conflict (workspace_id, list_id, contact_id) do update set status = 'unsubscribed', at = excluded.at`.execute(db)
  await sql`
    update list_members set status = 'unsubscribed', at = now()
    where workspace_id = ${workspaceId} and contact_id = ${contactId}
      and list_id in (select list_id from campaign_lists where workspace_id = ${workspaceId} and campaign_id = ${campaignId})`.execute(
    db,
  )
}
