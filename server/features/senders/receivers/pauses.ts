/**
 * Receivers that refuse a sender: nothing is sent to them through it for a while, first ten minutes, then twice as long each time. Where
 * authentication is missing, nothing changes until a person changes DNS: that is a day, or until they try again.
 */
import { sql } from 'kysely'
import { findAuthenticationFault } from '#server/engine/index.ts'
import type { Db } from '#server/platform/db/database.ts'

const FIRST_MINUTES = 10
const MAX_HOURS = 24
const MAX_MINUTES = MAX_HOURS * 60

export interface ReceiverPause {
  /** A mail operator such as google, else a domain. */
  receiver: string
  until: Date
  /** What the receiver said. */
  response: string
}

/** Pauses a sender for a receiver; one that is paused already stays so. Within a day of the last pause it is twice as long. */
export async function pauseReceiver(
  db: Db,
  {
    workspaceId,
    senderId,
    receiver,
    response,
    isForDay = false,
  }: { workspaceId: string; senderId: string; isForDay?: boolean } & Omit<ReceiverPause, 'until'>,
): Promise<void> {
  const first = isForDay ? MAX_MINUTES : FIRST_MINUTES
  const { numAffectedRows } = await sql`
    insert into receiver_pauses (workspace_id, sender_id, receiver, paused_until, response)
    values (${workspaceId}, ${senderId}, ${receiver}, now() + make_interval(mins => ${first}), ${response})
    on conflict (workspace_id, sender_id, receiver) do nothing`.execute(db)
  if (Number(numAffectedRows) > 0) return
  const isRepeated = sql`p.paused_until > now() - interval '1 day'`
  // Not in the clause of the conflict, where spread tables take no time (docs/citus.md).
  await sql`
    update receiver_pauses p set response = ${response}, pauses = (select case when ${isRepeated} then p.pauses + 1 else 1 end),
      paused_until = (select now() + least(make_interval(hours => ${MAX_HOURS}), make_interval(mins => ${first})
        * case when ${isRepeated} then power(2, least(p.pauses, 10)) else 1 end))
    where workspace_id = ${workspaceId} and sender_id = ${senderId} and receiver = ${receiver} and p.paused_until <= now()`.execute(
    db,
  )
}

/** Ends the pauses of senders, because a person wants to try again. Returns whether there were any. */
export async function endPauses(db: Db, workspaceId: string, senderIds: readonly string[]): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update receiver_pauses set paused_until = now()
    where workspace_id = ${workspaceId} and sender_id = any(${senderIds}::bigint[]) and paused_until > now()`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0) > 0
}

/**
 * Ends the pauses for lack of authentication of senders with a From address at or below a domain, because its records were just
 * found. Returns these senders.
 */
export async function endPausesOfDomain(db: Db, workspaceId: string, domain: string): Promise<string[]> {
  const { rows } = await sql<{ senderId: string; receiver: string; response: string }>`
    select p.sender_id, p.receiver, p.response
    from receiver_pauses p join senders s on s.workspace_id = p.workspace_id and s.id = p.sender_id
    where p.workspace_id = ${workspaceId} and p.paused_until > now()
      and (split_part(lower(s.from_email), '@', 2) = ${domain} or right(lower(s.from_email), length(${domain}) + 1) = '.' || ${domain})
    order by p.sender_id, p.receiver`.execute(db)
  const ended = rows.filter(({ response }) => findAuthenticationFault(response) !== null)
  for (const { senderId, receiver } of ended)
    await sql`update receiver_pauses set paused_until = now()
      where workspace_id = ${workspaceId} and sender_id = ${senderId} and receiver = ${receiver}`.execute(db)
  return [...new Set(ended.map(({ senderId }) => senderId))]
}
