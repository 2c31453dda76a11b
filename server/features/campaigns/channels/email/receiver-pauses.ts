import { sql } from 'kysely'
import { endPauses, type ReceiverPause, readReceivers, type SendingAccount } from '#server/features/senders/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Claim, endClaim } from '../../sending/claims.ts'
import { sentence, setText } from '../../sending/state-text.ts'

const names: Record<string, string> = { google: 'Google', microsoft: 'Microsoft', yahoo: 'Yahoo', apple: 'Apple' }

/** Campaigns that said they wait for a receiver. */
const waiting = new Set<string>()

/** Why emails to receivers wait. */
function describePauses({ fromEmail }: SendingAccount, pauses: ReceiverPause[]): string {
  const [first] = pauses
  if (!first) return ''
  const names = pauses.map(({ receiver }) => labelReceiver(receiver)).slice(0, 5)
  const until = first.until.toISOString().slice(0, 16).replace('T', ' ')
  return `Waiting: ${new Intl.ListFormat('en').format(names)} ${names.length === 1 ? 'refuses' : 'refuse'} emails from ${fromEmail}, so nothing is sent there until ${until} UTC: ${sentence(first.response)} Other recipients are sent to. To try sooner, pause and resume.`
}

const labelReceiver = (receiver: string) => names[receiver] ?? receiver

/**
 * Puts back the messages of a claim that go to receivers which refuse the sender, until its pause is over. Says so with the
 * campaign, and takes it back once nothing is paused. Returns the claim with the rest.
 */
export async function postponeForReceivers(
  db: Db,
  campaignId: string,
  claim: Claim,
  account: SendingAccount,
  pauses: ReceiverPause[],
): Promise<Claim> {
  if (pauses.length === 0) {
    if (waiting.delete(campaignId)) await setText(db, campaignId, '')
    return claim
  }
  const untils = new Map(pauses.map(({ receiver, until }) => [receiver, until]))
  const toReceiver = await readReceivers(
    db,
    claim.messages.map(({ email }) => email),
  )
  const findUntil = (email: string) => untils.get(toReceiver(email))
  const postponed = claim.messages.filter(({ email }) => findUntil(email))
  if (postponed.length === 0) return claim
  await sql`
    update messages m set state = case when attempts = 0 then 'queued' else 'deferred' end, claim_id = null, due_at = p.until
    from unnest(${postponed.map(({ id }) => id)}::bigint[], ${postponed.map(({ email }) => findUntil(email))}::timestamptz[]) as p (id, until)
    where m.id = p.id and m.id = any(${postponed.map(({ id }) => id)}::bigint[]) and m.claim_id = ${claim.id} and m.state = 'claimed'`.execute(
    db,
  )
  waiting.add(campaignId)
  await setText(db, campaignId, describePauses(account, pauses))
  const messages = claim.messages.filter(({ email }) => !findUntil(email))
  if (messages.length === 0) await endClaim(db, claim.id)
  return { ...claim, messages }
}

/** A person resumes a campaign: what waits for receivers is tried again at once. */
export async function resumeReceivers(db: Db, workspaceId: string, campaignId: string): Promise<void> {
  await db.transaction().execute(async (db) => {
    const senders = await db
      .selectFrom('campaigns')
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', campaignId)
      .select('senderId')
      .execute()
    if (
      !(await endPauses(
        db,
        workspaceId,
        senders.flatMap(({ senderId }) => senderId ?? []),
      ))
    )
      return
    await sql`update messages set due_at = now()
      where workspace_id = ${workspaceId} and campaign_id = ${campaignId} and state = 'queued' and due_at > now()`.execute(
      db,
    )
  })
}
