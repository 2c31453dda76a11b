import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Settle, Settled } from '../../sending/settle.ts'
import { settleEmails } from '../email/settle.ts'
import { noteBlocks } from './blocks.ts'
import { queueNext } from './steps.ts'

/** Writes outcomes as emails are: whatever may have left can be answered, and what certainly left is followed up. */
export const settleGmail: Settle = (db, campaign, claimId, settled) =>
  settleEmails(db, campaign, claimId, settled, (rows) => {
    const taken = settled.filter(({ outcome: { kind } }) => kind === 'sent' || kind === 'unconfirmed')
    const blocked = rows.filter((row) => row.state === 'failed' && row.reason === 'block')
    if (taken.length === 0 && blocked.length === 0) return undefined
    return async (db) => {
      await noteBlocks(
        db,
        campaign.workspaceId,
        blocked.map(({ id }) => id),
      )
      if (taken.length === 0) return
      await noteRemote(db, campaign, taken)
      await queueNext(
        db,
        campaign,
        taken.map(({ id }) => id),
      )
    }
  })

/** Keeps what Gmail calls the messages it took: follow-ups and replies are found by it. */
async function noteRemote(db: Db, campaign: { id: string; workspaceId: string }, taken: Settled[]): Promise<void> {
  await sql`
    insert into gmail_messages (message_id, workspace_id, campaign_id, sender_id, remote_id, thread_id, subject)
    select m.id, m.workspace_id, m.campaign_id, m.sender_id, t.remote, t.thread, t.subject
    from unnest(${taken.map(({ id }) => id)}::bigint[], ${taken.map(({ outcome }) => outcome.remote?.id ?? '')}::text[],
      ${taken.map(({ outcome }) => outcome.remote?.thread ?? '')}::text[],
      ${taken.map(({ subject }) => subject ?? '')}::text[]) as t (id, remote, thread, subject)
    join messages m on m.id = t.id and m.workspace_id = ${campaign.workspaceId} and m.sender_id is not null
    on conflict (workspace_id, message_id) do update set sender_id = excluded.sender_id, remote_id = excluded.remote_id,
      thread_id = excluded.thread_id, subject = excluded.subject`.execute(db)
}
