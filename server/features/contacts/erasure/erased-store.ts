/**
 * What stays of people whose contact was removed or erased: keyed hashes of their addresses (the same as in
 * retained-suppressions.ts). An address is known by its key, a phone number or a scoped id by itself.
 */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { hashed, type Secret } from '../suppressions/retained-suppressions.ts'

/** How somebody is reached; at least one is given. */
export interface Addresses {
  emailKey?: string | null | undefined
  phone?: string | null | undefined
  bsuid?: string | null | undefined
}

function toChannelKeys({ emailKey, phone, bsuid }: Addresses): { channel: 'email' | 'whatsapp'; key: string }[] {
  const whatsapp = [phone, bsuid].flatMap((key) => (key ? [{ channel: 'whatsapp' as const, key }] : []))
  return emailKey ? [{ channel: 'email', key: emailKey }, ...whatsapp] : whatsapp
}

const given = (addresses: Addresses) => {
  const keys = toChannelKeys(addresses)
  return sql`unnest(${keys.map(({ channel }) => channel)}::text[], ${keys.map(({ key }) => key)}::text[]) as given (channel, key)`
}

/** Remembers by hash which lists contacts had unsubscribed from. Call it before the contacts are removed. */
export async function keepLeftLists(db: Db, config: Secret, workspaceId: string, contactIds: string[]): Promise<void> {
  await sql`insert into left_lists (workspace_id, address_hash, list_id, at)
    select ${workspaceId}, ${hashed(config, sql`who.key`)}, m.list_id, m.at
    from contacts c cross join lateral unnest(array[c.email_key, c.phone, c.bsuid]) as who (key)
    join list_members m on m.contact_id = c.id and m.workspace_id = c.workspace_id and m.status = 'unsubscribed'
    where c.workspace_id = ${workspaceId} and c.id = any(${contactIds}::bigint[]) and who.key is not null
    on conflict do nothing`.execute(db)
}

/** Whether a workspace has anything to look up at all: most have not, and an import then asks nothing more. */
export async function findErasureMarks(db: Db, workspaceId: string): Promise<{ erased: boolean; left: boolean }> {
  const { rows } = await sql<{ erased: boolean; left: boolean }>`
    select exists (select 1 from erased_addresses where workspace_id = ${workspaceId}) as erased,
      exists (select 1 from left_lists where workspace_id = ${workspaceId}) as "left"`.execute(db)
  return rows[0] ?? { erased: false, left: false }
}

/** Takes contacts with these keys (address key, or phone number where there is none) off the lists they once had left. */
export async function leaveAgain(db: Db, config: Secret, workspaceId: string, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  await sql`
    with known as (
      select given.key, h.list_id, h.at from unnest(${keys}::text[]) as given (key)
      join left_lists h on h.workspace_id = ${workspaceId} and h.address_hash = ${hashed(config, sql`given.key`)}
    ), who as (
      select c.id, known.list_id, known.at from known join contacts c on c.workspace_id = ${workspaceId} and c.email_key = known.key
      union
      select c.id, known.list_id, known.at from known join contacts c on c.workspace_id = ${workspaceId} and c.phone = known.key and c.email_key is null
    ) insert into list_members (workspace_id, list_id, contact_id, status, at)
      select distinct on (list_id, id) ${workspaceId}::bigint, list_id, id, 'unsubscribed', at from who
      on conflict (workspace_id, list_id, contact_id) do update set status = 'unsubscribed', at = excluded.at`.execute(
    db,
  )
}

/** Marks somebody as erased, with why their addresses were suppressed; the plain suppressions go. */
export async function markErased(db: Db, config: Secret, workspaceId: string, who: Addresses): Promise<void> {
  await sql`
    with gone as (
      delete from suppressions s using ${given(who)}
      where s.workspace_id = ${workspaceId} and s.channel = given.channel and s.address_key = given.key
      returning s.channel, s.address_key, s.reason
    ) insert into erased_addresses as e (workspace_id, channel, address_hash, suppression)
      select ${workspaceId}, given.channel, ${hashed(config, sql`given.key`)}, gone.reason from ${given(who)}
      left join gone on gone.channel = given.channel and gone.address_key = given.key
      on conflict (workspace_id, channel, address_hash) do update
        set at = excluded.at, suppression = coalesce(excluded.suppression, e.suppression)`.execute(db)
}

/** Which of these keys belong to erased people. */
export async function erasedKeys(
  db: Db,
  config: Secret,
  workspaceId: string,
  channel: 'email' | 'whatsapp',
  keys: string[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select given.key from unnest(${keys}::text[]) as given (key)
    join erased_addresses e on e.workspace_id = ${workspaceId} and e.channel = ${channel}
      and e.address_hash = ${hashed(config, sql`given.key`)}`.execute(db)
  return new Set(rows.map((row) => row.key))
}

/** Whether one of these addresses belongs to somebody erased. */
export async function isErased(db: Db, config: Secret, workspaceId: string, who: Addresses): Promise<boolean> {
  for (const { channel, key } of toChannelKeys(who))
    if ((await erasedKeys(db, config, workspaceId, channel, [key])).size > 0) return true
  return false
}

/** Lets somebody erased come back; what suppressed them before holds again. `email`: the address as it is written. */
export async function readmit(
  db: Db,
  config: Secret,
  workspaceId: string,
  who: Addresses & { email?: string | null | undefined },
): Promise<void> {
  await sql`
    with back as (
      delete from erased_addresses e using (select channel, key, ${hashed(config, sql`given.key`)} as hash from ${given(who)} offset 0) given
      where e.workspace_id = ${workspaceId} and e.channel = given.channel and e.address_hash = given.hash
      returning e.channel, given.key, e.suppression
    ) insert into suppressions (workspace_id, channel, address, address_key, reason)
      select ${workspaceId}, channel, case when channel = 'email' then coalesce(${who.email ?? null}::text, key) else key end, key, suppression
      from back where suppression is not null on conflict do nothing`.execute(db)
}

/** Since when an address is erased or has left a list, in seconds of the database's clock; 0 when it is and has not. */
export async function goneSince(
  db: Db,
  config: Secret,
  workspaceId: string,
  listId: string,
  emailKey: string,
): Promise<number> {
  const hash = hashed(config, sql`${emailKey}::text`)
  const { rows } = await sql<{ at: number | null }>`
    select extract(epoch from greatest(
      (select at from erased_addresses where workspace_id = ${workspaceId} and channel = 'email' and address_hash = ${hash}),
      (select at from left_lists where workspace_id = ${workspaceId} and address_hash = ${hash} and list_id = ${listId})))::float8 as at`.execute(
    db,
  )
  return rows[0]?.at ?? 0
}

/** The person asked for this list again: it is not left any more. */
export async function forgetLeft(
  db: Db,
  config: Secret,
  workspaceId: string,
  listId: string,
  emailKey: string,
): Promise<void> {
  await sql`delete from left_lists where workspace_id = ${workspaceId} and list_id = ${listId}
    and address_hash = ${hashed(config, sql`${emailKey}::text`)}`.execute(db)
}
