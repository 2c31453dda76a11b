import { sql } from 'kysely'
import type { AttributeValue, Plan, Recipient } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'

interface ReaderRow {
  id: string
  workspaceId: string
  address: string
  email: string | null
  name: string | null
  phone: string | null
  attributes: Record<string, AttributeValue> | null
}

/** The person a message went to, as the contact is now; a contact that was removed leaves the address alone. */
export async function findReader(
  db: Db,
  messageId: string,
): Promise<(Recipient & { workspaceId: string }) | undefined> {
  const { rows } = await sql<ReaderRow>`
    select m.id, m.workspace_id, m.address, c.email, c.name, c.phone, c.attributes
    from messages m left join contacts c on c.id = m.contact_id and c.workspace_id = m.workspace_id
    where m.id = ${messageId}`.execute(db)
  const row = rows[0]
  return (
    row && {
      id: row.id,
      workspaceId: row.workspaceId,
      // The contact may have another address by now: an email says the one it went to.
      email: row.address.includes('@') ? row.address : (row.email ?? row.address),
      name: row.name,
      phone: row.phone,
      attributes: row.attributes ?? {},
    }
  )
}

/** The stored destination of a link in a message. */
export async function findDestination(db: Db, messageId: string, link: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('messages')
    .innerJoin('campaignLinks', (join) =>
      join
        .onRef('campaignLinks.workspaceId', '=', 'messages.workspaceId')
        .onRef('campaignLinks.campaignId', '=', 'messages.campaignId'),
    )
    .where('messages.id', '=', messageId)
    .where('campaignLinks.link', '=', link)
    .select('campaignLinks.url')
    .executeTakeFirst()
  return row?.url
}

/** Which campaign a message belongs to. */
export async function findCampaignId(db: Db, messageId: string): Promise<string | undefined> {
  const row = await db.selectFrom('messages').where('id', '=', messageId).select('campaignId').executeTakeFirst()
  return row?.campaignId
}

/** The frozen content of a campaign, and whose it is. */
export interface FrozenEmail {
  workspaceId: string
  plan: Plan
}

/** The same by the id of the campaign; undefined: it is not there or was never frozen. */
export async function findFrozenEmail(db: Db, campaignId: string): Promise<FrozenEmail | undefined> {
  const row = await db
    .selectFrom('campaigns')
    .where('id', '=', campaignId)
    .select(['workspaceId', 'plan'])
    .executeTakeFirst()
  const plan = row?.plan as unknown as Plan | null | undefined
  return row && plan ? { workspaceId: row.workspaceId, plan } : undefined
}

export interface Subscription {
  messageId: string
  workspaceId: string
  campaignId: string
  contactId: string
  /** Where the message went. */
  address: string
  /** How that address is compared: of the contact when it still has it. */
  addressKey: string | null
  /** Whose mail it is: the workspace's company, the name or address it was sent with, or the workspace's name. */
  sender: string
  /** Lists of the campaign that still exist brought the recipient: they can leave these alone. */
  hasLists: boolean
}

/** What an unsubscribe link leads to. `lock`: the message is held until the transaction ends, so that two clicks are one. */
export async function findUnsubscribeTarget(
  db: Db,
  messageId: string,
  lock = false,
): Promise<Subscription | undefined> {
  if (lock) {
    const message = await db.selectFrom('messages').where('id', '=', messageId).select('workspaceId').executeTakeFirst()
    if (!message) return undefined
    await sql`select 1 from messages where workspace_id = ${message.workspaceId} and id = ${messageId} for update`.execute(
      db,
    )
  }
  const { rows } = await sql<Subscription>`
    select m.id as message_id, m.workspace_id, m.campaign_id, m.contact_id, m.address,
      case when c.email = m.address then c.email_key end as address_key,
      coalesce(nullif(w.company, ''), nullif(p.plan -> 'from' ->> 'name', ''), p.plan -> 'from' ->> 'address', w.name) as sender,
      not m.by_segment and exists (select 1 from campaign_lists cl where cl.workspace_id = m.workspace_id and cl.campaign_id = m.campaign_id) as has_lists
    from messages m
    join workspaces w on w.id = m.workspace_id
    left join campaigns p on p.workspace_id = m.workspace_id and p.id = m.campaign_id
    left join contacts c on c.id = m.contact_id and c.workspace_id = m.workspace_id
    where m.id = ${messageId}`.execute(db)
  return rows[0]
}

/** What the email of a message was: its subject as it is written in the campaign, and when it was sent. */
export async function findSentEmail(db: Db, messageId: string): Promise<{ subject: string; sentAt: Date } | undefined> {
  const { rows } = await sql<{ subject: string; sentAt: Date }>`
    select coalesce(p.plan ->> 'subject', '') as subject, coalesce(m.sent_at, m.first_attempt_at, m.queued_at) as sent_at
    from messages m left join campaigns p on p.workspace_id = m.workspace_id and p.id = m.campaign_id where m.id = ${messageId}`.execute(
    db,
  )
  return rows[0]
}

/** Whether a campaign went to one of these lists. */
export async function wentTo(
  db: Db,
  { workspaceId, campaignId }: Pick<Subscription, 'workspaceId' | 'campaignId'>,
  listIds: string[],
): Promise<boolean> {
  const { rows } = await sql`select from campaign_lists
    where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and list_id = any(${listIds}::bigint[]) limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Whether an address of a workspace is unsubscribed or complained: what is blocked for other reasons may be opened again. */
export async function isStopped(db: Db, workspaceId: string, addressKey: string): Promise<boolean> {
  const row = await db
    .selectFrom('suppressions')
    .where('workspaceId', '=', workspaceId)
    .where('channel', '=', 'email')
    .where('addressKey', '=', addressKey)
    .where('reason', 'in', ['unsubscribe', 'complaint'])
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Notes the unsubscribe among the events of the message, once. The message must be locked. */
export async function noteUnsubscribe(
  db: Db,
  messageId: string,
  event: { network: string; userAgent: string; reason: 'one_click' | 'page'; classifier: number },
): Promise<void> {
  await sql`
    insert into events (workspace_id, campaign_id, message_id, kind, network, user_agent, class, reason, classifier)
    select workspace_id, campaign_id, id, 'unsubscribe', ${event.network}, ${event.userAgent}, 'human', ${event.reason}, ${event.classifier}::int
    from messages m where id = ${messageId}
      and not exists (select 1 from events e where e.workspace_id = m.workspace_id and e.message_id = m.id and e.kind = 'unsubscribe')`.execute(
    db,
  )
}
