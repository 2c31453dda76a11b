import { type RawBuilder, sql } from 'kysely'
import type { Plan, Recipient, Tokens } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { onNode } from '#server/platform/db/spread.ts'

/** A follow-up of a running campaign. */
export interface Step {
  workspaceId: string
  id: string
  /** 2 for the first of them. */
  step: number
  plan: Plan
  stopOnReply: boolean
  stopOnClick: boolean
  /** The campaigns of the steps before it, first to last. */
  earlier: string[]
}

/** The follow-ups of a campaign that was launched, in order. */
export async function listLaunchedSteps(db: Db, workspaceId: string, rootId: string): Promise<Step[]> {
  const rows = await db
    .selectFrom('campaigns')
    .where('workspaceId', '=', workspaceId)
    .where('parentId', '=', rootId)
    .where('audienceAt', 'is not', null)
    .select(['workspaceId', 'id', 'step', 'plan', 'stopOnReply', 'stopOnClick'])
    .orderBy('step')
    .execute()
  return rows.map((row, index) => ({
    ...row,
    plan: row.plan as unknown as Plan,
    earlier: [rootId, ...rows.slice(0, index).map(({ id }) => id)],
  }))
}

/**
 * Why a follow-up is not to go to a contact, looked up row by row: `stop.reason`, or null. A click is believed after some
 * seconds, because only then it is known whether a machine made it.
 */
export function joinStopReason(
  { workspaceId, earlier, stopOnReply, stopOnClick }: Step,
  contactId: RawBuilder<unknown>,
) {
  return sql`left join lateral (
        select case
          when bool_or(before.unsubscribed) then 'unsubscribe'
          when bool_or(before.bounced) then 'bounced'
          when ${stopOnReply}::boolean and bool_or(before.replied) then 'replied'
          when ${stopOnClick}::boolean and bool_or(before.clicked) then 'clicked'
        end as reason
        from (
          select p.state = 'bounced' as bounced,
            exists (select 1 from events e where e.workspace_id = ${workspaceId} and e.message_id = p.id and e.kind = 'unsubscribe') as unsubscribed,
            exists (select 1 from gmail_messages g where g.workspace_id = ${workspaceId} and g.message_id = p.id and g.replied_at is not null) as replied,
            exists (select 1 from events e where e.workspace_id = ${workspaceId} and e.message_id = p.id and e.kind = 'click' and e.class = 'human'
              and e.at < now() - interval '5 seconds') as clicked
          from messages p where p.workspace_id = ${workspaceId} and p.campaign_id = any(${earlier}::bigint[]) and p.contact_id = ${contactId}
        ) before
      ) stop on true`
}

const GONE =
  'The Gmail account that started this thread was removed, so no more messages can be sent in it. Nothing was sent.'

/** Leaves out recipients who stopped a step already, and those whose account is gone, so that the counts tell it before their time comes. */
export async function sweepStops(db: Db, step: Step): Promise<void> {
  const { workspaceId } = step
  await sql`
    update messages m set state = 'suppressed', reason = s.reason, due_at = null
    from (
      select w.id, stop.reason from messages w ${joinStopReason(step, sql`w.contact_id`)}
      where w.campaign_id = ${step.id} and w.due_at is not null ${onNode('w.workspace_id', workspaceId)} and stop.reason is not null
    ) s
    where m.workspace_id = ${workspaceId} and m.id = s.id and m.state in ('queued', 'deferred') and m.due_at is not null`.execute(
    db,
  )
  await sql`
    update messages m set state = 'failed', reason = 'account_gone', response = ${GONE}, due_at = null
    where m.campaign_id = ${step.id} and m.due_at is not null ${onNode('m.workspace_id', workspaceId)} and m.state in ('queued', 'deferred')
      and not exists (select 1 from senders where workspace_id = ${workspaceId} and id = m.sender_id)`.execute(db)
}

/** The accounts whose threads have something waiting. */
export async function accountsWaiting(db: Db, steps: Step[]): Promise<string[]> {
  if (!steps[0]) return []
  const { workspaceId } = steps[0]
  const { rows } = await sql<{ senderId: string }>`
    select distinct sender_id from messages
    where campaign_id = any(${steps.map(({ id }) => id)}::bigint[]) and due_at is not null and sender_id is not null ${onNode('workspace_id', workspaceId)}`.execute(
    db,
  )
  return rows.map((row) => row.senderId)
}

/** The step of which an account has a message to send now, the one that waits longest. */
export async function dueStep(db: Db, steps: Step[], senderId: string): Promise<Step | undefined> {
  if (!steps[0]) return undefined
  const { workspaceId } = steps[0]
  const { rows } = await sql<{ campaignId: string }>`
    select campaign_id from messages
    where campaign_id = any(${steps.map(({ id }) => id)}::bigint[]) and sender_id = ${senderId} and due_at <= now() ${onNode('workspace_id', workspaceId)}
    order by due_at limit 1`.execute(db)
  return steps.find(({ id }) => id === rows[0]?.campaignId)
}

/**
 * Writes down the next step for messages that were sent, due when its time has passed. In the transaction that says they
 * were sent: nobody is forgotten, whatever ends the process, and nobody is written down twice.
 */
export async function queueNext(
  db: Db,
  campaign: { id: string; workspaceId: string },
  messageIds: string[],
): Promise<void> {
  await sql`
    insert into messages (workspace_id, campaign_id, contact_id, address, due_at, sender_id, by_segment)
    select m.workspace_id, next.id, m.contact_id, m.address, m.sent_at + make_interval(mins => next.after_minutes), m.sender_id, m.by_segment
    from messages m join campaigns this on this.workspace_id = m.workspace_id and this.id = m.campaign_id
    join campaigns next on next.workspace_id = m.workspace_id and next.parent_id = coalesce(this.parent_id, this.id) and next.step = this.step + 1
      and next.audience_at is not null
    where m.workspace_id = ${campaign.workspaceId} and m.id = any(${messageIds}::bigint[]) and m.campaign_id = ${campaign.id} and m.state = 'sent'
    order by m.id on conflict (workspace_id, campaign_id, contact_id) do nothing`.execute(db)
}

interface Before {
  id: string
  messageId: string
  rfcId: string | null
  threadId: string | null
  subject: string | null
}

/** What each of these messages follows, by its id: the thread of its person so far. `domain`: of the account's address. */
export async function findThreads(
  db: Db,
  { workspaceId, id, earlier }: Step,
  messageIds: string[],
  tokens: Tokens,
  domain: string,
): Promise<Map<string, NonNullable<Recipient['follows']>>> {
  const { rows } = await sql<Before>`
    select m.id, p.id as message_id, g.rfc_id, g.thread_id, g.subject
    from messages m join messages p on p.workspace_id = m.workspace_id and p.campaign_id = any(${earlier}::bigint[]) and p.contact_id = m.contact_id
    left join gmail_messages g on g.workspace_id = p.workspace_id and g.message_id = p.id
    where m.workspace_id = ${workspaceId} and m.id = any(${messageIds}::bigint[]) and m.campaign_id = ${id} and p.state in ('sent', 'unconfirmed', 'bounced')
    order by m.id, array_position(${earlier}::bigint[], p.campaign_id)`.execute(db)
  const threads = new Map<string, NonNullable<Recipient['follows']>>()
  for (const row of rows) {
    const name = row.rfcId || `<${tokens.sign('message', row.messageId)}@${domain}>`
    const known = threads.get(row.id) ?? { messageId: '', references: [], thread: null, subject: null }
    threads.set(row.id, {
      messageId: name,
      references: [...known.references, name],
      thread: row.threadId || known.thread,
      subject: known.subject ?? (row.subject ? replyTo(row.subject) : null),
    })
  }
  return threads
}

/** The subject of an answer; one that is one already stays as it is. */
export const replyTo = (subject: string) => (/^re:/i.test(subject.trim()) ? subject : `Re: ${subject}`)
