import { sql } from 'kysely'
import { createListWith } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { conflict } from '#server/platform/http/refusal.ts'
import { chooseRecipients, joinByHash, type RecipientChoice, type ReportedCampaign } from './recipients.ts'

/** Creates a list of the recipients that are meant. Throws Refusal 409 where there are none whose contacts still exist. */
export async function saveAsList(
  db: Db,
  campaign: ReportedCampaign,
  name: string,
  choice: RecipientChoice,
): Promise<{ listId: string; name: string; people: number }> {
  const { workspaceId, id } = campaign
  // People who left by this campaign, or left a list of it, do not join another one, nor do those of a segment who confirmed none.
  const found = sql`select m.contact_id, exists (
      select 1 from list_members l join campaign_lists cl on cl.workspace_id = l.workspace_id and cl.list_id = l.list_id
      where l.workspace_id = ${workspaceId} and l.contact_id = m.contact_id and cl.campaign_id = ${id} and l.status = 'unsubscribed'
    ) or exists (
      select 1 from events e where e.workspace_id = ${workspaceId} and e.message_id = m.id and e.kind = 'unsubscribe'
    ) or m.by_segment and exists (
      select 1 from list_members l where l.workspace_id = ${workspaceId} and l.contact_id = m.contact_id
      having not coalesce(bool_or(l.status = 'confirmed'), true)
    ) as has_left
    ${await chooseRecipients(db, campaign, choice)}`
  const list = await joinByHash(db, (db) => createListWith(db, workspaceId, name, found))
  const people = list.contacts + list.unsubscribed
  if (people === 0) throw conflict('nobody', 'No recipient matches, so no list was created.')
  return { listId: list.id, name: list.name, people }
}
