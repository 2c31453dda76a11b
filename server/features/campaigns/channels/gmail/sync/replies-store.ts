import { type RawBuilder, sql } from 'kysely'
import type { CampaignMessage } from '#contracts/campaigns/campaign.ts'
import type { ErasedAddresses } from '#server/features/contacts/index.ts'
import { READABLE } from '#server/features/gmail/index.ts'
import type { MessageFacts, Observation } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'

/** What is known of the replies to a campaign. */
export interface Replies {
  id: string
  /** How many of its accounts may be read; a follow-up's accounts are its campaign's. */
  readable: number
  /** Contacts who replied to it or to a follow-up of it. */
  replied: number
}

/** The replies to Gmail campaigns or follow-ups, by id. */
export async function readReplies(db: Db, workspaceId: string, ids: string[]): Promise<Map<string, Replies>> {
  const { rows } = await sql<Replies>`
    select c.id,
      (select count(*)::int from campaign_senders s join gmail_accounts g on g.workspace_id = s.workspace_id and g.sender_id = s.sender_id
        where s.workspace_id = c.workspace_id and s.campaign_id = coalesce(c.parent_id, c.id) and g.scopes && ${READABLE}::text[]) as readable,
      (select count(distinct m.contact_id)::int from gmail_messages g join messages m on m.workspace_id = g.workspace_id and m.id = g.message_id
        where g.workspace_id = c.workspace_id and g.replied_at is not null and g.campaign_id in (
          select f.id from campaigns f where f.workspace_id = c.workspace_id and (f.id = c.id or f.parent_id = c.id))) as replied
    from campaigns c where c.workspace_id = ${workspaceId} and c.id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** What the mailboxes of a campaign's accounts can tell: bounces where one may be read. Google reports no complaints. */
export async function observeMailboxes(db: Db, workspaceId: string, campaignId: string): Promise<Observation> {
  const isRead = ((await readReplies(db, workspaceId, [campaignId])).get(campaignId)?.readable ?? 0) > 0
  const row = await db
    .selectFrom('campaigns')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', campaignId)
    .select('startedAt')
    .executeTakeFirst()
  return { bounces: isRead, complaints: false, since: isRead ? (row?.startedAt ?? null) : null }
}

export interface StepFigures {
  campaignId: string
  replied: number
  nextAt: Date | null
}

/** Answers to each of these steps, and when the next message of it is due. */
export async function stepFigures(db: Db, workspaceId: string, ids: string[]): Promise<Map<string, StepFigures>> {
  const { rows } = await sql<StepFigures>`
    select f.id as campaign_id,
      (select count(*)::int from gmail_messages g where g.workspace_id = ${workspaceId} and g.campaign_id = f.id and g.replied_at is not null) as replied,
      (select min(m.due_at) from messages m where m.workspace_id = ${workspaceId} and m.campaign_id = f.id and m.due_at is not null) as next_at
    from unnest(${ids}::bigint[]) as f (id)`.execute(db)
  return new Map(rows.map((row) => [row.campaignId, row]))
}

/** When recipients replied to messages, by id, as the contract has it. */
export async function presentReplies(
  db: Db,
  workspaceId: string,
  messageIds: string[],
): Promise<Map<string, Pick<CampaignMessage, 'repliedAt'>>> {
  const { rows } = await sql<{ id: string; repliedAt: Date }>`
    select message_id as id, replied_at from gmail_messages
    where workspace_id = ${workspaceId} and message_id = any(${messageIds}::bigint[]) and replied_at is not null`.execute(
    db,
  )
  return new Map(rows.map(({ id, repliedAt }) => [id, { repliedAt: repliedAt.toISOString() }]))
}

/** Recipients who replied to a campaign or a follow-up of it, by the message of the campaign, and the last time. */
export const repliedRecipients = ({ workspaceId, id }: { workspaceId: string; id: string }): RawBuilder<unknown> => sql`
  select first.id as message_id, max(g.replied_at) as at
  from gmail_messages g join messages m on m.workspace_id = g.workspace_id and m.id = g.message_id
  join messages first on first.workspace_id = m.workspace_id and first.campaign_id = ${id} and first.contact_id = m.contact_id
  where g.workspace_id = ${workspaceId} and g.replied_at is not null and g.campaign_id in (
    select f.id from campaigns f where f.workspace_id = ${workspaceId} and (f.id = ${id} or f.parent_id = ${id}))
  group by first.id`

/** When somebody replied to a message, and when it bounced. */
export function repliesTo(db: Db, workspaceId: string, messageId: string): Promise<MessageFacts | undefined> {
  return db
    .selectFrom('gmailMessages')
    .where('workspaceId', '=', workspaceId)
    .where('messageId', '=', messageId)
    .select(['repliedAt', 'bouncedAt'])
    .executeTakeFirst()
}

/** Takes an erased person out of what returned for messages to them. */
export async function clearBounces(db: Db, { workspaceId }: ErasedAddresses, messageIds: string[]): Promise<void> {
  await sql`update gmail_messages set bounce_text = ''
    where workspace_id = ${workspaceId} and message_id = any(${messageIds}::bigint[])`.execute(db)
}
