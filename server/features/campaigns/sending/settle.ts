import { sql } from 'kysely'
import type { Outcome } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { onNode } from '#server/platform/db/spread.ts'

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

/** A message's columns once its outcome is known. */
export interface SettledRow {
  id: string
  state: string
  reason: string
  response: string
  sentAt: string | null
  dueAt: string | null
  at: string
}

/** Writes outcomes of one claim, once. Each channel has its own: which are tried again, and what else they change. */
export type Settle = (
  db: Db,
  campaign: { id: string; workspaceId: string },
  claimId: string,
  settled: Settled[],
) => Promise<void>

/**
 * Writes the rows of a claim's messages and moves the breaker figures of their campaign: a message that another claim has is
 * left alone, one that was given up while its worker was away is not.
 */
// The ids are said twice: as a list they lead the planner to the index, where a join alone would read the whole table. It counts a
// list it sees, and reads the whole table for a long one where it has no statistics: so it does not see this one.
// coalesce() hides from it that the statistics know no claimed rows: it would compare each row with each outcome.
export async function writeRows(
  db: Db,
  campaign: { id: string; workspaceId: string },
  claimId: string,
  rows: SettledRow[],
): Promise<void> {
  const column = (key: keyof SettledRow) => rows.map((row) => row[key])
  await sql`
    with done as (
      update messages m set state = o.state, reason = o.reason, response = o.response, attempts = m.attempts + (m.state = 'claimed')::int,
        first_attempt_at = coalesce(m.first_attempt_at, o.at), sent_at = o.sent_at, due_at = o.due_at, claim_id = null
      from unnest(${column('id')}::bigint[], ${column('state')}::text[], ${column('reason')}::text[], ${column('response')}::text[],
        ${column('sentAt')}::timestamptz[], ${column('dueAt')}::timestamptz[], ${column('at')}::timestamptz[])
        as o (id, state, reason, response, sent_at, due_at, at)
      where m.id = o.id and m.id = any(array(select unnest(${column('id')}::bigint[]))) ${onNode('m.workspace_id', campaign.workspaceId)}
        and coalesce(m.claim_id = ${claimId} and m.state in ('claimed', 'unconfirmed'), false)
      returning m.state, m.reason
    )
    update campaigns set handed = handed + (select count(*) from done),
      hard = hard + (select count(*) from done where state = 'failed' and reason = 'hard')
    where workspace_id = ${campaign.workspaceId} and id = ${campaign.id}`.execute(db)
}
