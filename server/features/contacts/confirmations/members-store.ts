/** The pending members of double opt-in lists are the queue of confirmation emails: index list_members_to_ask. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { isSampleContact } from '../samples-store.ts'
import { emailKeys } from '../suppressions/email-keys.ts'

/** A pending member who was not asked yet. `email` is null where nobody can or may be asked. */
export interface WaitingMember {
  listId: string
  contactId: string
  email: string | null
  emailKey: string | null
}

const toAsk = sql`status = 'pending' and asked_at is null`

/** Whether any workspace has members to ask: the first of an index, whatever the planner thinks how many there are. */
export const isAnyToAsk = sql<boolean>`(select min(workspace_id) from list_members where ${toAsk}) is not null`

/** The next workspaces after `after` with members to ask, up to `limit`, in the order of their ids: one look into the index each. */
export async function workspacesToAsk(db: Db, after: string, limit: number): Promise<string[]> {
  const found: string[] = []
  while (found.length < limit) {
    const { rows } = await sql<{ id: string }>`
      select workspace_id as id from list_members where ${toAsk} and workspace_id > ${found.at(-1) ?? after} order by workspace_id limit 1`.execute(
      db,
    )
    if (!rows[0]) break
    found.push(rows[0].id)
  }
  return found
}

/** How many are still to be asked in a workspace. */
export async function countToAsk(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from list_members where workspace_id = ${workspaceId} and ${toAsk}`.execute(db)
  return Number(rows[0]?.n ?? 0)
}

/** Some members to ask, held until the transaction ends. */
export async function membersToAsk(db: Db, workspaceId: string, limit: number): Promise<WaitingMember[]> {
  const { rows } = await sql<WaitingMember>`
    with held as materialized (
      select list_id, contact_id from list_members where workspace_id = ${workspaceId} and ${toAsk}
      order by workspace_id, list_id, contact_id limit ${limit} for update skip locked
    )
    select held.list_id, held.contact_id, case when s.id is null and l.optin = 'double' and not ${isSampleContact} then c.email end as email, c.email_key
    from held
    left join lists l on l.id = held.list_id and l.workspace_id = ${workspaceId}
    left join contacts c on c.workspace_id = ${workspaceId} and c.id = held.contact_id
    left join lateral (
      select id from suppressions where workspace_id = ${workspaceId} and channel = 'email'
        and address_key in (${emailKeys(sql.ref('c.email_key'))}) limit 1
    ) s on true`.execute(db)
  return rows
}

/** Takes members out of the queue: `asked` says whether an email is on its way to them. */
export async function noteAsked(
  db: Db,
  workspaceId: string,
  { listId, contactId }: WaitingMember,
  asked: boolean,
): Promise<void> {
  await sql`update list_members set asked_at = now(), asks = asks + ${asked ? 1 : 0}
    where workspace_id = ${workspaceId} and list_id = ${listId} and contact_id = ${contactId}`.execute(db)
}

/**
 * Queues the members of a list who have not confirmed once more: those last asked over `days` ago and fewer than `most` times.
 * Returns how many.
 */
export async function askAgain(
  db: Db,
  workspaceId: string,
  listId: string,
  most: number,
  days: number,
): Promise<number> {
  const result = await sql`update list_members set asked_at = null
    where workspace_id = ${workspaceId} and list_id = ${listId} and status = 'pending' and asks < ${most}
      and (asks = 0 or asked_at < now() - make_interval(days => ${days}))`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

/** Asks a contact's new address: what was asked of the old one says nothing of it. One that stays is not asked again. */
export async function askAnewAt(
  db: Db,
  workspaceId: string,
  contactId: string,
  emailKey: string | null,
): Promise<void> {
  await sql`update list_members m set asked_at = null, asks = 0 from contacts c
    where c.workspace_id = ${workspaceId} and c.id = ${contactId} and c.email_key is distinct from ${emailKey}
      and m.workspace_id = c.workspace_id and m.contact_id = c.id and m.status = 'pending'`.execute(db)
}
