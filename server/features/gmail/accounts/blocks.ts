import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

// One refusal, or several of one company, is about that company's filter. Five a day at two companies or more is about the
// account: Gmail itself counts such refusals against it, and after some dozens sends less and less of it to anybody. A good
// account stays below: with addresses that want the mail, not one in a hundred of its 500 a day is refused as unwanted.
const BLOCKS = 5
const DOMAINS = 2

const ADVICE = 'Check the email and its recipients, wait a day if possible, then let the account send again.'

/**
 * Stops an account whose mail was refused as unwanted or against the rules too often within 24 hours, for all of its
 * campaigns: sending on would only make it worse. Call with the transaction that noted such a refusal.
 */
export async function stopIfBlocked(db: Db, workspaceId: string, senderId: string): Promise<void> {
  await sql`
    update gmail_accounts a set blocked_at = now(),
      blocked_text = 'Paused: ' || b.blocks || ' messages of this account were refused within 24 hours as unwanted or against the rules of the receiving servers. The last reply was: “' || b.last || '” ' || ${ADVICE}
    from (
      select count(*) as blocks, count(distinct lower(split_part(m.address, '@', 2))) as domains,
        (array_agg(left(g.bounce_text, 200) order by g.bounced_at desc))[1] as last
      from gmail_messages g join messages m on m.id = g.message_id and m.workspace_id = g.workspace_id
      join gmail_accounts own on own.workspace_id = g.workspace_id and own.sender_id = g.sender_id
      where g.sender_id = ${senderId} and g.workspace_id = ${workspaceId} and m.reason = 'block'
        and g.bounced_at > greatest(now() - interval '24 hours', own.blocks_from)
    ) b
    where a.sender_id = ${senderId} and a.workspace_id = ${workspaceId} and a.blocked_at is null
      and b.blocks >= ${BLOCKS} and b.domains >= ${DOMAINS}`.execute(db)
}
