import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { leaveLists } from '../suppressions/suppressions-store.ts'
import type { ImportRow, Ready } from './imports-store.ts'

/** Reasons that are a person's own word: they leave every list. */
const OWN_WORD = ['unsubscribe', 'complaint']

/** Suppresses the addresses of rows, or the numbers of those without one; returns how many were not suppressed yet. */
export async function suppressRows(
  db: Db,
  workspaceId: string,
  reason: NonNullable<ImportRow['suppress']>,
  rows: Ready[],
): Promise<number> {
  const given = rows.map(({ email, key, phone }) =>
    key === null ? { channel: 'whatsapp', address: phone, key: phone } : { channel: 'email', address: email, key },
  )
  if (given.length === 0) return 0
  const column = (name: 'channel' | 'address' | 'key') => given.map((one) => one[name])
  // Written out: on spread tables a node is told no types of parameters that stand only behind `on conflict`.
  const ownWords = sql.join(OWN_WORD.map((word) => sql.lit(word)))
  // In the order of their keys: two imports at once then wait for each other and never forever. A person's own word replaces what
  // the workspace may lift again, as suppress() does.
  const { rows: written } = await sql<{ isNew: boolean }>`
    insert into suppressions as s (workspace_id, channel, address, address_key, reason, note)
    select distinct on (channel, key) ${workspaceId}::bigint, channel, address, key, ${reason}, 'Imported'
    from unnest(${column('channel')}::text[], ${column('address')}::text[], ${column('key')}::text[]) as given (channel, address, key)
    order by channel, key
    on conflict (workspace_id, channel, address_key) do update set reason = excluded.reason, note = excluded.note, at = excluded.at
      where excluded.reason in (${ownWords}) and s.reason not in (${ownWords})
    returning xmax = 0 as is_new`.execute(db)
  if (OWN_WORD.includes(reason))
    await leaveLists(
      db,
      workspaceId,
      rows.flatMap(({ key }) => key ?? []),
    )
  return written.filter(({ isNew }) => isNew).length
}
