/** Unsubscribing of many contacts by the workspace, and its undoing: what a person said themselves since stays. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { chosenAddresses } from './bulk-changes.ts'
import type { Before } from './bulk-store.ts'

/**
 * Unsubscribes contacts on every channel: that replaces any other reason but a complaint, and takes them off every list. Returns of
 * each whom it changed their suppressions and lists as they were, and at what time it changed them.
 */
export async function unsubscribeContacts(db: Db, workspaceId: string, ids: string[]): Promise<Before> {
  const { rows: barred } = await sql<{ id: string; suppressions: unknown[]; at: string }>`
    with ${chosenAddresses(workspaceId, ids)}, old as materialized (
      select s.* from (select distinct channel, key from chosen) k
      join suppressions s on s.workspace_id = ${workspaceId} and s.channel = k.channel and s.address_key = k.key
    ), barred as (
      insert into suppressions as s (workspace_id, channel, address, address_key, reason, at)
      select distinct on (channel, key) ${workspaceId}::bigint, channel, address, key, 'unsubscribe', now() from chosen order by channel, key
      on conflict (workspace_id, channel, address_key) do update set reason = 'unsubscribe', at = excluded.at
        where s.reason not in ('unsubscribe', 'complaint') returning id, channel, address_key
    )
    select chosen.id, now()::text as at, jsonb_agg(jsonb_build_object('id', barred.id::text, 'reason', old.reason, 'at', old.at)) as suppressions
    from chosen join barred on barred.channel = chosen.channel and barred.address_key = chosen.key
    left join old on old.id = barred.id group by chosen.id`.execute(db)
  const { rows: left } = await sql<{ id: string; lists: unknown[]; at: string }>`
    with old as materialized (
      select list_id, contact_id, status, at from list_members where workspace_id = ${workspaceId} and contact_id = any(${ids}::bigint[])
        and status <> 'unsubscribed' order by list_id, contact_id for update
    ), gone as (
      update list_members m set status = 'unsubscribed', at = now() from old
      where m.workspace_id = ${workspaceId} and m.list_id = old.list_id and m.contact_id = old.contact_id
    ) select contact_id as id, now()::text as at, jsonb_agg(jsonb_build_object('id', list_id::text, 'status', status, 'at', at)) as lists
      from old group by contact_id`.execute(db)
  const before: Record<string, { at: string; suppressions: unknown[]; lists: unknown[] }> = {}
  for (const { id, at, suppressions } of barred) before[id] = { at, suppressions, lists: [] }
  for (const { id, at, lists } of left) before[id] = { ...(before[id] ?? { at, suppressions: [] }), lists }
  return before
}

/**
 * Puts back those whose suppressions are all as the change made them. Who unsubscribed themselves since has a later time there, and a
 * list that somebody left since has one too. Returns how many contacts.
 */
export async function resubscribeContacts(db: Db, workspaceId: string, before: Before): Promise<number> {
  const each = sql`jsonb_each(${JSON.stringify(before)}::jsonb) b (id, was)`
  const { rows } = await sql<{ id: string }>`
    with noted as materialized (
      select b.id as contact_id, (b.was ->> 'at')::timestamptz as at, s.id, s.was_reason, s.was_at from ${each}
      cross join lateral (select (s ->> 'id')::bigint as id, s ->> 'reason' as was_reason, (s ->> 'at')::timestamptz as was_at
        from jsonb_array_elements(b.was -> 'suppressions') s) s
    ), held as materialized (
      select s.id, s.at from suppressions s join (select distinct id from noted) n on n.id = s.id
      where s.workspace_id = ${workspaceId} and s.reason = 'unsubscribe' order by s.id for update of s
    ), changed as (
      select noted.contact_id from noted left join held on held.id = noted.id and held.at = noted.at where held.id is null
    ), lifted as (
      delete from suppressions s using noted where s.workspace_id = ${workspaceId} and s.id = noted.id and noted.was_reason is null
        and noted.contact_id not in (select contact_id from changed)
    ), returned as (
      update suppressions s set reason = noted.was_reason, at = noted.was_at from noted
      where s.workspace_id = ${workspaceId} and s.id = noted.id and noted.was_reason is not null
        and noted.contact_id not in (select contact_id from changed)
    )
    select b.id from ${each} where b.id not in (select contact_id from changed)`.execute(db)
  const ids = rows.map(({ id }) => id)
  await sql`
    with noted as materialized (
      select b.id::bigint as contact_id, (b.was ->> 'at')::timestamptz as at, (l ->> 'id')::bigint as list_id, l ->> 'status' as status,
        (l ->> 'at')::timestamptz as was_at
      from ${each} cross join lateral jsonb_array_elements(b.was -> 'lists') l where b.id = any(${ids}::text[])
    )
    update list_members m set status = n.status, at = n.was_at from noted n
    where m.workspace_id = ${workspaceId} and m.list_id = n.list_id and m.contact_id = n.contact_id
      and m.status = 'unsubscribed' and m.at = n.at
      and not exists (select 1 from contacts c join suppressions s on s.workspace_id = ${workspaceId} and s.channel = 'email'
        and s.address_key = c.email_key and s.reason = 'unsubscribe' where c.workspace_id = ${workspaceId} and c.id = m.contact_id)`.execute(
    db,
  )
  return ids.length
}
