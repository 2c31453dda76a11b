import { sql } from 'kysely'
import { retryDelay } from '#server/engine/index.ts'
import { suppressBounced } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Settled, type SettledRow, writeRows } from '../../sending/settle.ts'

/** The row a message gets for an outcome: 4xx is tried again with growing gaps until 72 hours are over, 5xx never. */
function toSettledRow({ id, outcome, attempts, firstAttemptAt }: Settled): SettledRow {
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
      response: `Gave up after 72 hours. Last reply: ${outcome.response}`,
    }
  return { ...row, dueAt: new Date(at + delay).toISOString() }
}

/** What is written beside the rows in the same transaction; undefined: nothing is. */
type Beside = (rows: SettledRow[]) => ((db: Db) => Promise<void>) | undefined

/**
 * Writes outcomes of one claim of emails, once. Addresses the server does not know are suppressed, and the campaign's
 * breaker figures move, all in one transaction with what `beside` adds.
 */
export async function settleEmails(
  db: Db,
  campaign: { id: string; workspaceId: string },
  claimId: string,
  settled: Settled[],
  beside: Beside = () => undefined,
): Promise<void> {
  if (settled.length === 0) return
  const rows = settled.map(toSettledRow)
  const refused = rows.filter((row) => row.state === 'failed' && row.reason === 'hard')
  const more = beside(rows)
  if (refused.length === 0 && !more) return writeRows(db, campaign, claimId, rows)
  await db.transaction().execute(async (db) => {
    await writeRows(db, campaign, claimId, rows)
    if (refused.length > 0) {
      await suppressHard(db, campaign, refused)
      // Here and not only when the slice is over: by then another lane may have found nothing left, and called it sent.
      await breakIfBad(db, campaign)
    }
    await more?.(db)
  })
}

async function suppressHard(db: Db, campaign: { id: string; workspaceId: string }, rows: SettledRow[]): Promise<void> {
  const ids = rows.map((row) => row.id)
  const { rows: bounced } = await sql<{ contactId: string; note: string; campaignId: string }>`
    select contact_id, response as note, campaign_id from messages
    where id = any(${ids}::bigint[]) and workspace_id = ${campaign.workspaceId} and state = 'failed'`.execute(db)
  await suppressBounced(db, campaign.workspaceId, 'email', bounced)
}

const MIN_SAMPLE = 50
const HARD_SHARE = 0.05

/** Pauses a campaign whose addresses are bad: 5 % hard refusals after at least 50 messages. Returns whether it did. */
export async function breakIfBad(db: Db, campaign: { id: string; workspaceId: string }): Promise<boolean> {
  const text =
    'Paused: more than 5 % of the addresses do not exist. Continuing would harm your reputation with mail providers. Check the failed recipients, clean the list, then resume.'
  const { rows } = await sql<{ id: string }>`
    update campaigns set state = 'paused', state_text = ${text}, updated_at = now()
    where workspace_id = ${campaign.workspaceId} and id = ${campaign.id} and state = 'sending' and handed >= ${MIN_SAMPLE} and hard >= 5 and hard >= handed * ${HARD_SHARE}::float8
    returning id`.execute(db)
  return rows.length > 0
}
