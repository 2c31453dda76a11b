/** How messages over WhatsApp are counted, wherever figures of them are shown: SQL over `m`, a row of whatsapp_messages. */
import { type RawBuilder, sql } from 'kysely'
import { STOPPED_CODES } from '#server/adapters/whatsapp/codes.ts'
import { onNode } from '#server/platform/db/spread.ts'

// A person who stopped marketing is suppressed, as those are who stopped before: the message to them did not fail.
const isFailed = sql`m.status = 'failed' and (m.error_code is null or m.error_code <> all(${STOPPED_CODES}::int[]))`
const isSent = sql`m.status <> 'failed' and (m.wamid is not null or m.sent_at is not null)`

/** Whether it failed: Meta rejected it, or accepted it and did not deliver it. */
export const hasFailed = sql<boolean>`(m.direction = 'out' and ${isFailed})`

/** When it reached a phone. One that was read was delivered, even where Meta never said so. */
export const deliveredAt = sql<Date | null>`coalesce(m.delivered_at, m.read_at)`

/** The columns of DeliveryCounts (contracts/whatsapp/rates.ts), and `sent`: accepted by Meta, and not failed since. */
export const deliveryColumns = sql`
  count(*) filter (where m.direction = 'out' and (${isSent} or ${isFailed} or m.status = 'unconfirmed'))::int as tried,
  count(*) filter (where m.direction = 'out' and ${isSent})::int as sent,
  count(*) filter (where m.direction = 'out' and ${deliveredAt} is not null)::int as delivered,
  count(*) filter (where m.direction = 'out' and m.read_at is not null)::int as read,
  count(*) filter (where ${hasFailed})::int as failed`

/**
 * The replies to it, `i`, to stand after `from`: what the person wrote within 72 hours. An opt-out is none, nor is the START that
 * undoes it. Meta tells times in whole seconds.
 */
export const repliesToIt = (workspaceId: string): RawBuilder<unknown> => sql`whatsapp_messages i
  where i.conversation_id = m.conversation_id ${onNode('i.workspace_id', workspaceId)} and i.direction = 'in' and i.kind <> 'system'
    and not i.content ? 'isNoReply' and i.at >= date_trunc('second', m.at) and i.at < m.at + interval '72 hours'`

/** Whether the suppression `s` of its person came within 72 hours, and names no other campaign: that is the one whose message came last. */
export const isOptOutAfterIt = sql<boolean>`(s.at >= date_trunc('second', m.at) and s.at < m.at + interval '72 hours'
  and coalesce(s.campaign_id = m.campaign_id, true))`

// Numbers are stored as Meta has them, without the plus; a scoped id begins with its country.
const personKey = sql`case when m.person ~ '^[0-9]' then '+' || m.person else m.person end`

/** The opt-outs of its person within the same time, `s`, to stand after `from`: in words, by a button, in WhatsApp's settings, or recorded by hand. */
export const optOutsAfterIt = (workspaceId: string): RawBuilder<unknown> => sql`suppressions s
  where s.workspace_id = ${workspaceId} and s.channel = 'whatsapp' and s.reason = 'unsubscribe'
    and s.address_key = ${personKey} and ${isOptOutAfterIt}`
