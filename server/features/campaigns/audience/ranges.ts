/** How an audience is walked over in slices. */
import { sql } from 'kysely'
import type { ContactRange } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Audience } from './audience.ts'

/**
 * Where a slice ends: at the contact after `size` others, or, where lists alone bring contacts, after so many members of the
 * list that has most there. undefined: no more are left.
 */
async function findEnd(
  db: Db,
  audience: Audience,
  after: string,
  last: string,
  size: number,
): Promise<string | undefined> {
  const { workspaceId, hasSegments, listIds } = audience
  // The members of several lists can be different people.
  const most = Math.ceil(size / Math.max(1, listIds.length))
  const nth = hasSegments
    ? sql<{ id: string | null }>`
      select id from contacts where workspace_id = ${workspaceId} and id > ${after} and id <= ${last}
      order by id offset ${size - 1} limit 1`
    : sql<{ id: string | null }>`
      select min(nth.id) as id from unnest(${listIds}::bigint[]) list cross join lateral (
        select contact_id as id from list_members
        where workspace_id = ${workspaceId} and list_id = list and contact_id > ${after} and contact_id <= ${last}
        order by contact_id offset ${most - 1} limit 1) nth`
  return db.transaction().execute(async (db) => {
    // Without statistics the planner would sort all that is left, for each slice, and not walk along the primary key.
    await sql`set local enable_sort = off`.execute(db)
    const { rows } = await nth.execute(db)
    return rows[0]?.id ?? undefined
  })
}

/**
 * Ranges of contacts with up to `size` of an audience each, in the order of ids: those the workspace has now. Contacts that are
 * added while the ranges are walked over are in none.
 */
export async function* findRanges(db: Db, audience: Audience, size: number): AsyncGenerator<ContactRange> {
  const { rows } = await sql<{ last: string | null }>`
    select max(id) as last from contacts where workspace_id = ${audience.workspaceId}`.execute(db)
  const last = rows[0]?.last
  if (!last) return
  let after = '0'
  while (after !== last) {
    const until: string = (await findEnd(db, audience, after, last, size)) ?? last
    yield { after, until }
    after = until
  }
}
