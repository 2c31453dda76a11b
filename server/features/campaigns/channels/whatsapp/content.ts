import { type RawBuilder, sql } from 'kysely'
import type { CampaignMessage } from '#contracts/campaigns/campaign.ts'
import { type NotWhatsApp, type OfWhatsApp, WhatsAppContent } from '#contracts/campaigns/channels/whatsapp/campaign.ts'
import type { MessageFacts } from '#server/features/tracking/index.ts'
import {
  deliveredAt,
  deliveryColumns,
  numberById,
  optOutsAfterIt,
  repliesToIt,
} from '#server/features/whatsapp/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { unknownId } from '#server/platform/http/refusal.ts'
import type { CampaignRow } from '../../campaign-rows.ts'
import type { FieldsOf } from '../channel.ts'

type Fields = FieldsOf<typeof OfWhatsApp>
type Content = Pick<Fields, 'whatsapp' | 'whatsappTemplate'>

/** What campaigns over other channels have in the fields of WhatsApp campaigns. */
export const absentWhatsApp: FieldsOf<typeof NotWhatsApp> = { whatsapp: null, whatsappTemplate: null, delivery: null }

/** What campaigns say, with their templates as they are now, by id; empty where nothing was chosen yet. */
async function readContents(db: Db, workspaceId: string, ids: string[]): Promise<Map<string, Content>> {
  const { rows } = await sql<{ id: string; whatsapp: unknown; template: Content['whatsappTemplate'] }>`
    select c.id, c.whatsapp, case when t.id is not null then json_build_object('id', t.id::text, 'name', t.name, 'language', t.language,
      'category', t.category, 'status', t.status) end as template
    from campaigns c left join whatsapp_templates t on t.workspace_id = c.workspace_id and t.id = (c.whatsapp ->> 'templateId')::bigint
    where c.workspace_id = ${workspaceId} and c.id = any(${ids}::bigint[])`.execute(db)
  return new Map(
    rows.map(({ id, whatsapp, template }) => [
      id,
      { whatsapp: WhatsAppContent.parse(whatsapp ?? {}), whatsappTemplate: template },
    ]),
  )
}

/** What a campaign says over WhatsApp; empty where nothing was chosen yet. */
export async function parseContent(db: Db, { workspaceId, id }: CampaignRow): Promise<WhatsAppContent> {
  return (await readContents(db, workspaceId, [id])).get(id)?.whatsapp ?? WhatsAppContent.parse({})
}

/** The number a campaign goes through: "Harbor Coffee, +49 30 23125 101"; empty where it was disconnected. */
export async function describeNumber(db: Db, campaign: CampaignRow): Promise<string> {
  const { accountId } = await parseContent(db, campaign)
  const number = accountId === null ? undefined : await numberById(db, campaign.workspaceId, accountId)
  return number ? [number.verifiedName, number.displayPhone].filter(Boolean).join(', ') : ''
}

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

type Delivery = Fields['delivery']

/** What Meta told of the messages of WhatsApp campaigns, by campaign id. */
async function countDelivery(db: Db, workspaceId: string, ids: string[]): Promise<Map<string, Delivery>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Delivery & { id: string; sent: number }>`
    select m.campaign_id as id, ${deliveryColumns},
      count(*) filter (where m.conversation_id is not null and exists (select 1 from ${repliesToIt(workspaceId)}))::int as replied
    from whatsapp_messages m
    where m.workspace_id = ${workspaceId} and m.campaign_id = any(${ids}::bigint[]) and m.direction = 'out'
    group by m.campaign_id`.execute(db)
  return new Map(rows.map(({ id, sent: _, ...counts }) => [id, counts]))
}

const NONE: Delivery = { tried: 0, delivered: 0, read: 0, failed: 0, replied: 0 }

/** The fields of WhatsApp campaigns, by id. */
export async function presentWhatsApp(db: Db, workspaceId: string, rows: CampaignRow[]): Promise<Map<string, Fields>> {
  const ids = rows.map(({ id }) => id)
  const contents = await readContents(db, workspaceId, ids)
  const deliveries = await countDelivery(db, workspaceId, ids)
  return new Map([...contents].map(([id, content]) => [id, { ...content, delivery: deliveries.get(id) ?? NONE }]))
}

type Which = { workspaceId: string; id: string }

const messagesWith = ({ workspaceId, id }: Which, at: RawBuilder<unknown>, and: RawBuilder<unknown>) => sql`
  select m.message_id, ${at} as at from whatsapp_messages m
  where m.workspace_id = ${workspaceId} and m.campaign_id = ${id} and m.direction = 'out' and m.message_id is not null and ${and}`

/** Who got a campaign, read it, replied to it and opted out within 72 hours: statements of message_id and the last time. */
export const whatsAppEvents = {
  delivered: (campaign: Which) => messagesWith(campaign, deliveredAt, sql`${deliveredAt} is not null`),
  read: (campaign: Which) => messagesWith(campaign, sql`m.read_at`, sql`m.read_at is not null`),
  replied: (campaign: Which) =>
    messagesSince(
      campaign,
      sql`(select max(i.at) from ${repliesToIt(campaign.workspaceId)})`,
      sql`m.conversation_id is not null`,
    ),
  // Joined: of a large campaign, looking each person up takes a second.
  unsubscribed: ({ workspaceId, id }: Which) => sql`select m.message_id, max(s.at) as at
    from whatsapp_messages m cross join ${optOutsAfterIt(workspaceId)}
      and m.workspace_id = ${workspaceId} and m.campaign_id = ${id} and m.direction = 'out' and m.message_id is not null
    group by m.message_id`,
}

const messagesSince = (campaign: Which, at: RawBuilder<unknown>, and: RawBuilder<unknown>) =>
  sql`select message_id, at from (${messagesWith(campaign, at, and)}) as done where at is not null`

type Moments = 'deliveredAt' | 'readAt' | 'repliedAt' | 'unsubscribedAt'

/** When a person first replied to the message `m` and opted out. */
const firstAnswers = (workspaceId: string) => sql`
  case when m.conversation_id is not null then (select min(i.at) from ${repliesToIt(workspaceId)}) end as replied_at,
  (select min(s.at) from ${optOutsAfterIt(workspaceId)}) as unsubscribed_at`

/** What Meta told of messages and what people did then, by id, as the contract has it. */
export async function presentStatuses(
  db: Db,
  workspaceId: string,
  messageIds: string[],
): Promise<Map<string, Pick<CampaignMessage, Moments | 'errorCode'> & Partial<Pick<CampaignMessage, 'activityAt'>>>> {
  const { rows } = await sql<Record<Moments | 'lastAt', Date | null> & { id: string; errorCode: number | null }>`
    select *, greatest(delivered_at, read_at, last_reply_at, unsubscribed_at) as last_at from (
      select m.message_id as id, ${deliveredAt} as delivered_at, m.read_at, m.error_code, ${firstAnswers(workspaceId)},
        case when m.conversation_id is not null then (select max(i.at) from ${repliesToIt(workspaceId)}) end as last_reply_at
      from whatsapp_messages m
      where m.workspace_id = ${workspaceId} and m.message_id = any(${messageIds}::bigint[])) told`.execute(db)
  return new Map(
    rows.map(({ id, errorCode, ...row }) => {
      const moment = (name: Moments) => row[name]?.toISOString() ?? null
      const [deliveredAt, readAt] = [moment('deliveredAt'), moment('readAt')]
      const [repliedAt, unsubscribedAt] = [moment('repliedAt'), moment('unsubscribedAt')]
      // Whatever the list is sorted by.
      const activity = row.lastAt && { activityAt: row.lastAt.toISOString() }
      return [id, { deliveredAt, readAt, repliedAt, unsubscribedAt, errorCode, ...activity }]
    }),
  )
}

/** When one message reached a phone and was read, and what the person answered. */
export function readStatus(db: Db, workspaceId: string, messageId: string): Promise<MessageFacts | undefined> {
  return sql<MessageFacts>`
    select ${deliveredAt} as delivered_at, m.read_at, ${firstAnswers(workspaceId)}, null::timestamptz as bounced_at
    from whatsapp_messages m where m.workspace_id = ${workspaceId} and m.message_id = ${messageId}`
    .execute(db)
    .then(({ rows }) => rows[0])
}
