import { sql } from 'kysely'
import { type ErasedAddresses, without } from '#server/features/contacts/index.ts'
import { clearEvents } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { allChannels } from './channels/index.ts'
import { holdLaunches } from './launch/attempt.ts'

/** Takes a person out of every campaign of their workspace. Returns whether a message to them is being sent at this moment. */
export async function eraseFromCampaigns(db: Db, who: ErasedAddresses, signal: AbortSignal): Promise<boolean> {
  // A slice of recipients that read the contact before it went is written first, or seen by nobody.
  await db.transaction().execute((db) => holdLaunches(db, who.workspaceId))
  const campaigns = await db.selectFrom('campaigns').where('workspaceId', '=', who.workspaceId).select('id').execute()
  let isSending = false
  for (const { id } of campaigns) {
    if (signal.aborted) throw new Error('the process stops: the erasure goes on later')
    isSending = (await clearCampaign(db, id, who)) || isSending
  }
  return isSending
}

/**
 * Takes the person out of a campaign's messages, also those sent to an earlier contact with the address, and what returned
 * for them. The counts stay.
 */
async function clearCampaign(db: Db, campaignId: string, who: ErasedAddresses): Promise<boolean> {
  const { workspaceId, contactId, pseudonym } = who
  const reached = [who.email, who.emailKey, who.phone, who.bsuid].flatMap((text) => (text ? [text.toLowerCase()] : []))
  return db.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: string; state: string }>`
      update messages set address = ${pseudonym}, response = ${without(sql`response`, who)}
      where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and (contact_id = ${contactId} or lower(address) = any(${reached}::text[]))
      returning id, state`.execute(db)
    if (rows.length === 0) return false
    const ids = rows.map((row) => row.id)
    await clearEvents(db, workspaceId, ids)
    // Every channel, whatever the campaign's: nothing of a person may be overlooked.
    for (const channel of allChannels()) await channel.eraseMessages?.(db, who, ids)
    return rows.some((row) => row.state === 'claimed')
  })
}

/**
 * Gives the messages of a contact to another one, campaign by campaign; of a campaign that both are in each keeps its own. Returns
 * the ids of those that were moved.
 */
export async function giveMessages(
  db: Db,
  workspaceId: string,
  from: string,
  to: string,
): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ id: string }>`
    with theirs as materialized (
      select m.id from campaigns k cross join lateral (
        select id from messages where workspace_id = ${workspaceId} and campaign_id = k.id and contact_id = ${from} limit 1
      ) m
      where k.workspace_id = ${workspaceId} and not exists (
        select 1 from messages where workspace_id = ${workspaceId} and campaign_id = k.id and contact_id = ${to})
    )
    update messages set contact_id = ${to} where workspace_id = ${workspaceId} and id = any(array(select id from theirs)) returning id`.execute(
    db,
  )
  await sql`insert into told_origins (workspace_id, contact_id, campaign_id)
    select workspace_id, ${to}::bigint, campaign_id from told_origins where workspace_id = ${workspaceId} and contact_id = ${from}
    on conflict do nothing`.execute(db)
  return { messages: rows.map(({ id }) => id) }
}

/** Gives messages back to the contact they were sent to. */
export async function giveMessagesBack(
  db: Db,
  workspaceId: string,
  { messages = [] }: Record<string, string[]>,
  to: string,
): Promise<void> {
  await sql`update messages set contact_id = ${to} where workspace_id = ${workspaceId} and id = any(${messages}::bigint[])`.execute(
    db,
  )
}
