import { sql } from 'kysely'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { WhatsAppContent } from '#contracts/campaigns/parts.ts'
import type { Db } from '#server/platform/db/database.ts'
import { unknownId } from '#server/platform/http/refusal.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import type { ChannelFields } from '../channel.ts'
import { noFields } from '../no-fields.ts'

/** What a campaign says over WhatsApp, from its row; empty where nothing was chosen yet. */
export const contentOf = (stored: unknown): WhatsAppContent => WhatsAppContent.parse(stored ?? {})

/** Refuses a number or a template that is not the workspace's, without telling whether it exists. */
export async function checkContent(db: Db, workspaceId: string, content: WhatsAppContent): Promise<void> {
  const { accountId, templateId } = content
  const { rows } = await sql<{ account: boolean; template: boolean }>`
    select exists (select 1 from whatsapp_numbers where workspace_id = ${workspaceId} and id = ${accountId}) as account,
      exists (select 1 from whatsapp_templates where workspace_id = ${workspaceId} and id = ${templateId}) as template`.execute(
    db,
  )
  if (accountId && !rows[0]?.account) throw unknownId('whatsapp.accountId')
  if (templateId && !rows[0]?.template) throw unknownId('whatsapp.templateId')
}

type Delivery = NonNullable<Campaign['delivery']>

/** What Meta told of the messages of WhatsApp campaigns, by campaign id. */
async function deliveryOf(db: Db, workspaceId: string, ids: string[]): Promise<Map<string, Delivery>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Delivery & { id: string }>`
    select m.campaign_id as id,
      count(*) filter (where m.delivered_at is not null or m.read_at is not null)::int as delivered,
      count(*) filter (where m.read_at is not null)::int as read,
      count(*) filter (where m.conversation_id is not null and exists (
        select 1 from whatsapp_messages i where i.conversation_id = m.conversation_id and i.direction = 'in' and i.kind <> 'system'
          and i.at >= date_trunc('second', m.at) and i.at < m.at + interval '72 hours'))::int as replied
    from whatsapp_messages m
    where m.workspace_id = ${workspaceId} and m.campaign_id = any(${ids}::bigint[]) and m.direction = 'out'
    group by m.campaign_id`.execute(db)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** The fields of WhatsApp campaigns, by id. */
export async function presentWhatsApp(
  db: Db,
  workspaceId: string,
  rows: CampaignRow[],
): Promise<Map<string, ChannelFields>> {
  const deliveries = await deliveryOf(
    db,
    workspaceId,
    rows.map(({ id }) => id),
  )
  return new Map(
    rows.map(({ id, whatsapp, whatsappTemplate }) => [
      id,
      {
        ...noFields,
        channel: 'whatsapp',
        whatsapp: contentOf(whatsapp),
        whatsappTemplate,
        delivery: deliveries.get(id) ?? { delivered: 0, read: 0, replied: 0 },
      },
    ]),
  )
}
