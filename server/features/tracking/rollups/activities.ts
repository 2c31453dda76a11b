/** What recipients did as SQL, for lists of them: from message_rollups, and from the events of messages that are marked. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { onNode } from '#server/platform/db/spread.ts'
import { readFigures } from './counts-store.ts'
import { type Dimension, toKindCode } from './figures.ts'

/** What is looked for, with the column of message_rollups that has its last time, and its figure. */
const ACTIVITIES = {
  opened: { column: 'opened_at', kind: 'open', class: 'human', figure: 'open' },
  clicked: { column: 'clicked_at', kind: 'click', class: 'human', figure: 'click' },
  unsubscribed: { column: 'unsubscribed_at', kind: 'unsubscribe', class: 'human', figure: 'unsubscribe' },
  machineOpened: { column: 'machine_opened_at', kind: 'open', class: 'machine', figure: 'open-machine' },
  machineClicked: { column: 'machine_clicked_at', kind: 'click', class: 'machine', figure: 'click-machine' },
} as const satisfies Record<string, { column: string; kind: string; class: string; figure: Dimension }>
export type Activity = keyof typeof ACTIVITIES

/** The columns of message_rollups with the last time of each activity. */
export const activityColumns: RawBuilder<unknown> = sql.join(
  Object.values(ACTIVITIES).map(({ column }) => sql.ref(column)),
)
/** Their values, of the rows of a message in `fresh`. */
export const lastTimes: RawBuilder<unknown> = sql.join(
  Object.values(ACTIVITIES).map(
    (activity) =>
      sql`max(last_at) filter (where kind = ${toKindCode(activity.kind, activity.class === 'machine' ? 1 : 0)})`,
  ),
)
/** What an upsert of them says after `do update set`. */
export const takenOver: RawBuilder<unknown> = sql.join(
  Object.values(ACTIVITIES).map(({ column }) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`),
)

interface CampaignKey {
  workspaceId: string
  /** The campaign. */
  id: string
}

/** The common table expression `marked` (message_id): messages of a campaign that are not counted as they are. */
export const markedMessages = ({ workspaceId, id }: CampaignKey): RawBuilder<unknown> => sql`
  marked as materialized (
    select distinct message_id from event_changes cross join lateral unnest(message_ids) as of (message_id)
    where workspace_id = ${workspaceId} and campaign_id = ${id}
  )`

/** What people do, of what is looked for. */
export const BY_PEOPLE: Activity[] = ['opened', 'clicked', 'unsubscribed']

/** Whether a row of message_rollups has one of these. */
export const didAny = (activities: Activity[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    activities.map((name) => sql`${sql.ref(ACTIVITIES[name].column)} is not null`),
    sql` or `,
  )})`

/** Rows of message_id and at: who of those that are not in `marked` did one of these, and when last. */
export const storedActivity = ({ workspaceId, id }: CampaignKey, activities: Activity[]): RawBuilder<unknown> => {
  const columns = activities.map((name) => sql.ref(ACTIVITIES[name].column))
  return sql`select message_id, ${columns.length === 1 ? columns[0] : sql`greatest(${sql.join(columns)})`} as at from message_rollups
    where workspace_id = ${workspaceId} and campaign_id = ${id} and ${didAny(activities)} and message_id not in (select message_id from marked)`
}

/** The same of all messages of a campaign, or of those that are marked or `among` some. */
export function allActivity(place: CampaignKey, activities: Activity[], among?: string[]): RawBuilder<unknown> {
  const isOne = sql.join(
    activities.map((name) => sql`kind = ${ACTIVITIES[name].kind} and class = ${ACTIVITIES[name].class}`),
    sql` or `,
  )
  return sql`select * from (
    with ${markedMessages(place)} ${storedActivity(place, activities)} ${among ? sql`and message_id = any(${among}::bigint[])` : sql``}
    union all
    select marked.message_id, e.at from marked cross join lateral (
      select max(at) as at from events where message_id = marked.message_id ${onNode('workspace_id', place.workspaceId)} and (${isOne}) offset 0
    ) e where e.at is not null
  ) done`
}

/** How many recipients of a campaign did one activity, or any that people do. In a transaction of one snapshot where it is any. */
export async function countActivity(db: Db, place: CampaignKey, activities: Activity[]): Promise<number> {
  const figures = await readFigures(db, place.workspaceId, [place.id], ['kinds'])
  const count = (name: Dimension) => figures.find(({ dimension }) => dimension === name)?.messages ?? 0
  const [only, ...others] = activities
  if (only && others.length === 0) return count(ACTIVITIES[only].figure)
  // Nearly all who unsubscribe clicked or opened; the others are few.
  const { rows } = await sql<{ count: string }>`
    with ${markedMessages(place)} select (
      select count(*) from message_rollups where workspace_id = ${place.workspaceId} and campaign_id = ${place.id}
        and unsubscribed_at is not null and opened_at is null and clicked_at is null and message_id not in (select message_id from marked)
    ) + (
      select count(*) from marked cross join lateral (
        select bool_or(kind = 'unsubscribe') as has_left, bool_or(kind in ('open', 'click')) as is_engaged from events
        where message_id = marked.message_id ${onNode('workspace_id', place.workspaceId)} and class = 'human' offset 0
      ) e where has_left and not is_engaged
    ) as count`.execute(db)
  return count('engaged') + Number(rows[0]?.count ?? 0)
}
