import { sql } from 'kysely'
import { isPaid } from '#contracts/billing/plans.ts'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { conflict, notFound, planRequired } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { copyChoice, setOnlyList } from '../audience/choice-store.ts'
import type { CampaignRow } from '../campaign-rows.ts'
import { findCampaign, showCampaign } from '../campaigns.ts'
import { requireChannel } from '../channels/index.ts'
import { saveAsList } from './to-list.ts'

const NAME_LENGTH = 120

/** "News (copy)", cut in its first part where it would be too long. */
const named = (name: string, mark: string) =>
  `${name
    .slice(0, NAME_LENGTH - mark.length - 3)
    .toWellFormed()
    .trim()} (${mark})`

/** A campaign of its own, over a channel the caller's plan has. Throws Refusal 403 or 404. */
async function findOriginal(services: Services, { workspaceId, plan }: Caller, id: string): Promise<CampaignRow> {
  const row = await findCampaign(services, workspaceId, id)
  if (row.parentId) throw notFound('Campaign')
  if (requireChannel(row.channel).isPaid && !isPaid(plan)) throw planRequired()
  return row
}

/** Copies content, settings, accounts and files into a draft without recipients. Returns its id. */
async function copyContent(db: Db, { workspaceId, id }: CampaignRow, name: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into campaigns (workspace_id, name, channel, sender_id, subject, preheader, from_name, reply_to, template_id, html,
      whatsapp, track_opens, track_clicks, totals_of, sending_window, spread, link_tags)
    select workspace_id, ${name}, channel, sender_id, subject, preheader, from_name, reply_to, template_id, html,
      whatsapp, track_opens, track_clicks, totals_of, sending_window, spread, link_tags
    from campaigns where workspace_id = ${workspaceId} and id = ${id} returning id`.execute(db)
  const copy = rows[0]?.id
  if (!copy) throw notFound('Campaign')
  await sql`insert into campaign_senders (workspace_id, campaign_id, sender_id, position)
    select workspace_id, ${copy}, sender_id, position from campaign_senders where workspace_id = ${workspaceId} and campaign_id = ${id}`.execute(
    db,
  )
  await sql`insert into campaign_attachments (workspace_id, campaign_id, name, type, size, bytes)
    select workspace_id, ${copy}, name, type, size, bytes from campaign_attachments
    where workspace_id = ${workspaceId} and campaign_id = ${id} order by id`.execute(db)
  return copy
}

/** Copies whom it goes to, and what follows. */
async function copyAudience(db: Db, { workspaceId, id }: CampaignRow, copy: string, name: string): Promise<void> {
  await sql`update campaigns c set merge_import_id = o.merge_import_id from campaigns o
    where c.workspace_id = ${workspaceId} and c.id = ${copy} and o.workspace_id = c.workspace_id and o.id = ${id}`.execute(
    db,
  )
  await copyChoice(db, workspaceId, id, copy)
  await sql`insert into campaigns (workspace_id, parent_id, step, name, channel, template_id, html, after_minutes, stop_on_click, stop_on_reply)
    select workspace_id, ${copy}, step, ${name}, channel, template_id, html, after_minutes, stop_on_click, stop_on_reply
    from campaigns where workspace_id = ${workspaceId} and parent_id = ${id} order by step`.execute(db)
}

/** Makes a draft like a campaign, whatever became of that one. Throws Refusal 403 or 404. */
export async function duplicateCampaign(services: Services, caller: Caller, id: string): Promise<Campaign> {
  const original = await findOriginal(services, caller, id)
  const copy = await services.db.transaction().execute(async (db) => {
    const name = named(original.name, 'copy')
    const copy = await copyContent(db, original, name)
    await copyAudience(db, original, copy, name)
    return copy
  })
  return showCampaign(services, caller.workspaceId, copy)
}

/** Makes a draft to a new list of those who did not respond to an email campaign so far. Throws Refusal 403, 404 or 409. */
export async function resendCampaign(
  services: Services,
  caller: Caller,
  id: string,
  subject: string,
): Promise<Campaign> {
  const original = await findOriginal(services, caller, id)
  if (!requireChannel(original.channel).isEmail)
    throw conflict('wrong_channel', 'Only email campaigns can be sent again to people who did not respond.')
  if (original.state !== 'sent' && original.state !== 'cancelled')
    throw conflict('not_sent', 'Wait until the campaign has been sent.')
  if (!original.trackOpens && !original.trackClicks)
    throw conflict(
      'not_tracked',
      original.totalsOf
        ? 'Who responded is unknown because only totals were tracked.'
        : 'Who responded is unknown because tracking was off.',
    )
  const copy = await services.db.transaction().execute(async (db) => {
    const copy = await copyContent(db, original, named(original.name, 'resend'))
    const choice = { event: 'no_response' as const, machine: false }
    const { listId } = await saveAsList(db, original, named(original.name, 'no response'), choice)
    await setOnlyList(db, caller.workspaceId, copy, listId)
    await db
      .updateTable('campaigns')
      .set({ subject })
      .where('workspaceId', '=', caller.workspaceId)
      .where('id', '=', copy)
      .execute()
    return copy
  })
  return showCampaign(services, caller.workspaceId, copy)
}
