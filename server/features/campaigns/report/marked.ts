/** Which messages that are not counted as they are can belong to a page. */
import { sql } from 'kysely'
import { BY_PEOPLE, markedMessages, markedTimes } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { LOOK_UP, withoutWays } from '#server/platform/db/planner.ts'
import { isSpread } from '#server/platform/db/spread.ts'
import type { ReportedCampaign } from './recipients.ts'
import { type IndexedChoice, isBefore, isLater, isNotAfter, itsMessage, type PageStart } from './walks.ts'

/** Those that are marked and can belong to a page, of which `counted` are the first that are not; undefined: any. */
export async function findMarked(
  db: Db,
  campaign: ReportedCampaign,
  choice: IndexedChoice,
  page: PageStart,
  counted: string[],
): Promise<string[] | undefined> {
  if (page.sort === 'activity' && !choice.isMissing)
    return choice.q || choice.deed?.agents || isSpread() ? undefined : markedByTime(db, campaign, choice, page)
  const last = counted.length === page.limit ? counted.at(-1) : undefined
  return last ? markedUntil(db, campaign, page.after, last) : undefined
}

/** Of so many recipients between two places each is looked for among those that are marked; of more, each that is marked is looked up. */
const MAX_BETWEEN = 2_000

/** Those that are marked after a place, up to the place of a message: on a page of many recipients few are. */
async function markedUntil(
  db: Db,
  campaign: ReportedCampaign,
  after: PageStart['after'],
  last: string,
): Promise<string[]> {
  const { workspaceId, id } = campaign
  const isBetween = sql`m.contact_id <= (select contact_id from messages where workspace_id = ${workspaceId} and id = ${last}) ${isLater(after)}`
  const between = sql`from messages m where m.workspace_id = ${workspaceId} and m.campaign_id = ${id} and ${isBetween}`
  const { rows } = await withoutWays(db, LOOK_UP, async (db) => {
    const found = await sql`select 1 ${between} limit ${MAX_BETWEEN + 1}`.execute(db)
    return sql<{ id: string }>`
    with ${markedMessages(campaign)} ${
      found.rows.length > MAX_BETWEEN
        ? sql`select m.id from marked r cross join lateral ${itsMessage(campaign)} m where ${isBetween}`
        : sql`select m.id ${between} and (m.id in (select message_id from marked)) is true`
    }`.execute(db)
  })
  return rows.map((row) => row.id)
}

/** The first ones that are marked in order of activity, and those whose time is unknown. */
async function markedByTime(
  db: Db,
  campaign: ReportedCampaign,
  { deed, and, states, isAny }: IndexedChoice,
  { after, limit }: PageStart,
): Promise<string[]> {
  const { workspaceId, id } = campaign
  const isDone = deed ? sql`and at is not null` : sql``
  const inOrder = sql`order by at desc nulls last`
  // Where every message is meant, only those with the times of the page are looked up.
  const first = isAny
    ? sql`(select * from times where not is_unknown ${isDone} ${isNotAfter(after, sql`at`)} ${inOrder} fetch first ${limit} rows with ties)
        union all select * from times where is_unknown`
    : sql`select * from times`
  const isOne = states ? sql`m.trouble = any(${states}::text[])` : sql`m.id = any(array(select message_id from first))`
  // Two long lists meet, of which the planner does not know how long they are.
  const { rows } = await withoutWays(db, ['nestloop', 'seqscan', 'bitmapscan'], (db) =>
    sql<{ id: string }>`
    with times as materialized (${markedTimes(campaign, deed ?? BY_PEOPLE)}), first as materialized (${first}), these as materialized (
      select m.id, m.contact_id, t.at, t.is_unknown from messages m join first t on t.message_id = m.id
      where m.workspace_id = ${workspaceId} and m.campaign_id = ${id} and ${isOne} ${and}
    )
    select id from these where is_unknown
    union all
    (select id from these m where not is_unknown ${isDone} ${isBefore(after, sql`at`)} ${inOrder}, contact_id limit ${limit})`.execute(
      db,
    ),
  )
  return rows.map((row) => row.id)
}
