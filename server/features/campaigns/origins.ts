import { sql } from 'kysely'
import { type ContactRange, isWithin } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Why a collected contact is skipped, as its recipient's row says it. */
export const NO_BASIS = 'no lawful basis recorded'

/**
 * Whether the contact `c`, of a range, was collected and no reason to contact them is recorded. Who was a contact before, by hand or
 * from a file, keeps the reason they had.
 */
export function withoutBasis(workspaceId: string, within?: ContactRange) {
  return sql`(c.source = 'collected' and c.id not in (
    select contact_id from contact_origins where workspace_id = ${workspaceId} and basis is not null and ${isWithin(sql.ref('contact_id'), within)}))`
}

/**
 * Notes which recipients this campaign tells where their address was found: those who were collected and have not been
 * sent a message that did. `contactIds`: only of these recipients.
 */
export async function tellOrigins(
  db: Db,
  workspaceId: string,
  campaignId: string,
  contactIds?: readonly string[],
): Promise<void> {
  const isChosen = contactIds ? sql`m.contact_id = any(${contactIds}::bigint[])` : sql`true`
  await sql`
    insert into told_origins (workspace_id, contact_id, campaign_id)
    select m.workspace_id, m.contact_id, m.campaign_id from messages m
    where m.campaign_id = ${campaignId} and m.workspace_id = ${workspaceId} and m.state = 'queued' and ${isChosen}
      and m.contact_id in (select contact_id from contact_origins where workspace_id = ${workspaceId})
      and not exists (
        select 1 from told_origins t join messages before on before.workspace_id = t.workspace_id and before.campaign_id = t.campaign_id and before.contact_id = t.contact_id
        where t.workspace_id = m.workspace_id and t.contact_id = m.contact_id and before.state in ('sent', 'unconfirmed'))
    on conflict do nothing`.execute(db)
}

/** What is looked up of a picked message's contact where the campaign tells origins: the page their address was first found on. */
export function joinOrigin(campaign: { id: string; workspaceId: string }) {
  return sql`left join lateral (
        select o.source_url, o.found_at from contact_origins o
        where o.workspace_id = ${campaign.workspaceId} and o.contact_id = picked.contact_id and exists (
          select 1 from told_origins t
          where t.workspace_id = ${campaign.workspaceId} and t.contact_id = picked.contact_id and t.campaign_id = ${campaign.id})
        order by o.id limit 1
      ) origin on true`
}

/** Forgets that removed contacts were told. */
export async function deleteTold(db: Db, workspaceId: string, contactIds: string[]): Promise<void> {
  await db
    .deleteFrom('toldOrigins')
    .where('workspaceId', '=', workspaceId)
    .where('contactId', 'in', contactIds)
    .execute()
}
