import { sql } from 'kysely'
import { type Outcome, retryDelay } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { noteBlocks } from '../blocks.ts'
import { queueNext } from './steps.ts'

/** What became of one claimed message. */
export interface Settled {
  id: string
  outcome: Outcome
  /** Tries before this one, and when the first of them was: they decide about the next. */
  attempts: number
  firstAttemptAt: Date | null
  /** As it went out, where follow-ups will repeat it. */
  subject?: string
}

export interface Row {
  id: string
  state: string
  reason: string
  response: string
  sentAt: string | null
  dueAt: string | null
  at: string
}

/** The row a message gets for an outcome: 4xx is tried again with growing gaps until 72 hours are over, 5xx never. */
function rowOf({ id, outcome, attempts, firstAttemptAt }: Settled): Row {
  const row = {
    id,
    state: outcome.kind,
    reason: outcome.class ?? '',
    response: outcome.response,
    sentAt: null,
    dueAt: null,
    at: outcome.at,
  }
  if (outcome.kind === 'sent' || outcome.kind === 'unconfirmed') return { ...row, sentAt: outcome.at }
  if (outcome.kind !== 'deferred') return row
  const at = Date.parse(outcome.at)
  const delay = retryDelay(attempts + 1, at - (firstAttemptAt?.getTime() ?? at))
  if (delay === null)
    return {
      ...row,
      state: 'failed',
      reason: 'expired',
      response: `Given up after 72 hours. Last answer: ${outcome.response}`,
    }
  return { ...row, dueAt: new Date(at + delay).toISOString() }
}

/**
 * Writes outcomes of one claim, once: a message that another one has is left alone, one that was
 * given up while its worker was away is not. Addresses the server does
 * not know are suppressed, and the campaign's breaker figures move, all in one transaction.
 */
export async function settle(
  db: Db,
  campaign: { id: string; workspaceId: string; channel: string },
  claimId: string,
  settled: Settled[],
): Promise<void> {
  if (settled.length === 0) return
  const rows = settled.map(rowOf)
  const refused = rows.filter((row) => row.state === 'failed' && row.reason === 'hard')
  // Through Gmail, whatever may have left can be answered, and what certainly left is followed up.
  const isGmail = campaign.channel === 'gmail'
  const taken = isGmail ? settled.filter(({ outcome: { kind } }) => kind === 'sent' || kind === 'unconfirmed') : []
  const blocked = isGmail ? rows.filter((row) => row.state === 'failed' && row.reason === 'block') : []
  if (refused.length === 0 && taken.length === 0 && blocked.length === 0) return write(db, campaign, claimId, rows)
  await db.transaction().execute(async (db) => {
    await write(db, campaign, claimId, rows)
    if (refused.length > 0) {
      await suppressHard(db, campaign, refused)
      // Here and not only when the slice is over: by then another lane may have found nothing left, and called it sent.
      await breakIfBad(db, campaign.id)
    }
    await noteBlocks(
      db,
      campaign.workspaceId,
      blocked.map(({ id }) => id),
    )
    if (taken.length === 0) return
    await noteRemote(db, campaign, taken)
    await queueNext(
      db,
      campaign.id,
      taken.map(({ id }) => id),
    )
  })
}

// The ids are said twice: as a list they lead the planner to the index, where a join alone would read the whole table.
// coalesce() hides from it that the statistics know no claimed rows: it would compare each row with each outcome.
export async function write(db: Db, campaign: { id: string }, claimId: string, rows: Row[]): Promise<void> {
  const column = (key: keyof Row) => rows.map((row) => row[key])
  await sql`
    with done as (
      update messages m set state = o.state, reason = o.reason, response = o.response, attempts = m.attempts + (m.state = 'claimed')::int,
        first_attempt_at = coalesce(m.first_attempt_at, o.at), sent_at = o.sent_at, due_at = o.due_at, claim_id = null
      from unnest(${column('id')}::bigint[], ${column('state')}::text[], ${column('reason')}::text[], ${column('response')}::text[],
        ${column('sentAt')}::timestamptz[], ${column('dueAt')}::timestamptz[], ${column('at')}::timestamptz[])
        as o (id, state, reason, response, sent_at, due_at, at)
      where m.id = o.id and m.id = any(${column('id')}::bigint[]) and coalesce(m.claim_id = ${claimId} and m.state in ('claimed', 'unconfirmed'), false)
      returning m.state, m.reason
    )
    update campaigns set handed = handed + (select count(*) from done),
      hard = hard + (select count(*) from done where state = 'failed' and reason = 'hard')
    where id = ${campaign.id}`.execute(db)
}

/** Keeps what Gmail calls the messages it took: follow-ups and replies are found by it. */
async function noteRemote(db: Db, campaign: { id: string; workspaceId: string }, taken: Settled[]): Promise<void> {
  await sql`
    insert into gmail_messages (message_id, workspace_id, campaign_id, sender_id, remote_id, thread_id, subject)
    select m.id, m.workspace_id, m.campaign_id, m.sender_id, t.remote, t.thread, t.subject
    from unnest(${taken.map(({ id }) => id)}::bigint[], ${taken.map(({ outcome }) => outcome.remote?.id ?? '')}::text[],
      ${taken.map(({ outcome }) => outcome.remote?.thread ?? '')}::text[],
      ${taken.map(({ subject }) => subject ?? '')}::text[]) as t (id, remote, thread, subject)
    join messages m on m.id = t.id and m.workspace_id = ${campaign.workspaceId} and m.sender_id is not null
    on conflict (message_id) do update set sender_id = excluded.sender_id, remote_id = excluded.remote_id,
      thread_id = excluded.thread_id, subject = excluded.subject`.execute(db)
}

async function suppressHard(db: Db, campaign: { id: string; workspaceId: string }, rows: Row[]): Promise<void> {
  const ids = rows.map((row) => row.id)
  await sql`
    insert into suppressions (workspace_id, channel, address, address_key, reason, note, campaign_id)
    select c.workspace_id, 'email', c.email, c.email_key, 'hard_bounce', m.response, m.campaign_id
    from messages m join contacts c on c.id = m.contact_id and c.workspace_id = m.workspace_id
    where m.id = any(${ids}::bigint[]) and m.workspace_id = ${campaign.workspaceId} and m.state = 'failed' and c.email_key is not null
    on conflict do nothing`.execute(db)
}

const MIN_SAMPLE = 50
const HARD_SHARE = 0.05

/** Pauses a campaign whose addresses are bad: 5 % hard refusals after at least 50 messages. Answers whether it did. */
export async function breakIfBad(db: Db, campaignId: string): Promise<boolean> {
  const text =
    'Paused: more than 5 % of the addresses do not exist. Sending on would harm your name with mail providers. Look at the failed recipients, clean the list, then resume.'
  const { rows } = await sql<{ id: string }>`
    update campaigns set state = 'paused', state_text = ${text}, updated_at = now()
    where id = ${campaignId} and state = 'sending' and handed >= ${MIN_SAMPLE} and hard >= 5 and hard >= handed * ${HARD_SHARE}::float8
    returning id`.execute(db)
  return rows.length > 0
}
