import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { nextDue } from '../../sending/finish.ts'
import type { RunningCampaign } from '../../sending/sending.ts'
import { accountsWaiting, listLaunchedSteps } from './steps.ts'

/**
 * Why a campaign cannot go on, though its hours or limits have it wait: an account that it still needs has lost its permission.
 * undefined: none has.
 */
export async function findLostPermission(
  db: Db,
  campaign: RunningCampaign,
  through: string[],
): Promise<string | undefined> {
  const { workspaceId, id } = campaign
  const { rows } = await sql<{ senderId: string; fromEmail: string }>`
    select g.sender_id, s.from_email from gmail_accounts g
    join senders s on s.workspace_id = g.workspace_id and s.id = g.sender_id
    where g.workspace_id = ${workspaceId} and (g.revoked_at is not null or g.refresh_until <= now()) order by g.sender_id`.execute(
    db,
  )
  if (rows.length === 0) return undefined
  // Without first emails only the accounts of threads are needed.
  const firsts = (await nextDue(db, campaign)) === undefined ? [] : through
  const needed = new Set([...firsts, ...(await accountsWaiting(db, await listLaunchedSteps(db, workspaceId, id)))])
  const lost = rows.find(({ senderId }) => needed.has(senderId))
  return (
    lost &&
    `Paused: ${lost.fromEmail} has lost its permission at Google. Connect the account again, then resume the campaign. Nothing is lost.`
  )
}
