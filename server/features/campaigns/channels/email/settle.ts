import { type RawBuilder, sql } from 'kysely'
import { asksToSlowDown, retryDelay } from '#server/engine/index.ts'
import { suppressBounced } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Settled, type SettledRow, writeRows } from '../../sending/settle.ts'
import { actOnRefusals } from './refusals.ts'
import { noteSlowDowns } from './slow-downs.ts'

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
  const isBlamed = rows.some(({ state, reason }) => state !== 'sent' && (reason === 'block' || reason === 'content'))
  const asksForLess = settled.some(({ outcome }) => asksToSlowDown(outcome))
  if (refused.length === 0 && !isBlamed && !asksForLess && !more) return writeRows(db, campaign, claimId, rows)
  await db.transaction().execute(async (db) => {
    await writeRows(db, campaign, claimId, rows)
    if (refused.length > 0) {
      await suppressHard(db, campaign, refused)
      // Here and not only when the slice is over: by then another lane may have found nothing left, and called it sent.
      await breakIfBad(db, campaign)
    }
    // All of them: how many were refused of how many tells whether a receiver refuses the sender.
    if (isBlamed)
      await actOnRefusals(
        db,
        campaign,
        rows.map(({ id }) => id),
      )
    if (asksForLess) await noteSlowDowns(db, campaign, settled)
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

/** Hard refusals: messages that must have been tried, the fewest refusals, and their share. */
const HARD = { after: 50, least: 5, share: 0.05 }
/** Complaints: mailbox providers call 0.1 % too many, and 0.3 % a reason to refuse everything. */
const COMPLAINTS = { after: 1_000, least: 2, share: 0.001 }

const BAD_ADDRESSES =
  'Paused: more than 5 % of the addresses do not exist. Continuing would harm your reputation with mail providers. Check the failed recipients, clean the list, then resume.'
const COMPLAINED =
  'Paused: more than 0.1 % of the recipients reported the email as spam. Continuing would harm your reputation with mail providers. Write to people who asked for it, then resume.'

/**
 * Pauses a campaign whose addresses are bad (5 % hard refusals after at least 50 messages) or that people report as spam (0.1 %
 * after at least 1,000). Returns whether it did.
 */
export async function breakIfBad(db: Db, campaign: { id: string; workspaceId: string }): Promise<boolean> {
  const isOver = (count: RawBuilder<unknown>, { after, least, share }: typeof HARD) =>
    sql`(handed >= ${after}::int and ${count} >= ${least}::int and ${count} >= handed * ${share}::float8)`
  const [hard, complained] = [isOver(sql`hard`, HARD), isOver(sql`complained`, COMPLAINTS)]
  const { rows } = await sql<{ id: string }>`
    update campaigns set state = 'paused', state_text = case when ${hard} then ${BAD_ADDRESSES} else ${COMPLAINED} end, updated_at = now()
    where workspace_id = ${campaign.workspaceId} and id = ${campaign.id} and state = 'sending' and (${hard} or ${complained})
    returning id`.execute(db)
  return rows.length > 0
}
