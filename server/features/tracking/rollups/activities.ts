/** What recipients did as SQL, for lists of them: from what is stored of messages, and from the events of those that are marked. */
import { type RawBuilder, sql } from 'kysely'
import { onNode } from '#server/platform/db/spread.ts'
import { type Dimension, toKindCode } from './figures.ts'
import { toHash } from './outcomes.ts'

/** What is looked for, with the column of message_rollups that has its last time, and its figure. */
export const ACTIVITIES = {
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
/** Of a part `p` of a row `r` of message_rollups: the last time of its kind, where there is a column of it. */
export const lastTimeOfKind: RawBuilder<unknown> = sql`case p.kind ${sql.join(
  Object.values(ACTIVITIES).map(
    (activity) =>
      sql`when ${toKindCode(activity.kind, activity.class === 'machine' ? 1 : 0)} then ${sql.ref(`r.${activity.column}`)}`,
  ),
  sql` `,
)} end`
/** What an upsert of them says after `do update set`. */
export const takenOver: RawBuilder<unknown> = sql.join(
  Object.values(ACTIVITIES).map(({ column }) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`),
)

export interface CampaignKey {
  workspaceId: string
  /** The campaign. */
  id: string
}

/** What recipients did: one of these activities, with what narrows it. */
export interface Deed {
  activities: Activity[]
  /** Of clicks: on one of these links, which lead to the same destination, the lowest number first. */
  links?: number[]
  /** Of opens by people: with one of these user agents, or with any other one (`isRest`). The time is that of the last open, whatever with. */
  agents?: { names: string[]; isRest: boolean }
}

/** What people do, of what is looked for. */
export const BY_PEOPLE: Deed = { activities: ['opened', 'clicked', 'unsubscribed'] }

/** The common table expression `marked` (message_id): messages of a campaign that are not counted as they are. */
export const markedMessages = ({ workspaceId, id }: CampaignKey): RawBuilder<unknown> => sql`
  marked as materialized (
    select distinct message_id from event_changes cross join lateral unnest(message_ids) as of (message_id)
    where workspace_id = ${workspaceId} and campaign_id = ${id}
  )`

/** Whether a row of message_rollups has one of these. */
export const didAny = ({ activities, agents }: Deed): RawBuilder<unknown> => {
  const any = sql`(${sql.join(
    activities.map((name) => sql`${sql.ref(ACTIVITIES[name].column)} is not null`),
    sql` or `,
  )})`
  if (!agents) return any
  // As a value, so that PostgreSQL hashes the list. Clicks have a place in the array too, without a user agent.
  const isNamed = sql`agent = any(${agents.names.map(toHash)}::bigint[])`
  return sql`${any} and exists (select 1 from unnest(agents) as of (agent)
    where agent is not null and ${agents.isRest ? sql`not` : sql``} (${isNamed}))`
}

const lastTime = ({ activities }: Deed): RawBuilder<unknown> => {
  const columns = activities.map((name) => sql.ref(ACTIVITIES[name].column))
  return columns.length === 1 ? sql`${columns[0]}` : sql`greatest(${sql.join(columns)})`
}

/** Rows of message_id and at, of a campaign or one of its messages: who did it as it was last counted, and when last. */
const storedRows = ({ workspaceId, id }: CampaignKey, deed: Deed): RawBuilder<unknown> =>
  deed.links
    ? sql`select message_id, clicked_at as at from message_links
        where workspace_id = ${workspaceId} and campaign_id = ${id} and link = ${deed.links[0] ?? null}::int
          and by_machine = ${deed.activities.includes('machineClicked')}`
    : sql`select message_id, ${lastTime(deed)} as at from message_rollups
        where workspace_id = ${workspaceId} and campaign_id = ${id} and ${didAny(deed)}`

/** Rows of message_id and at: who of those that are not in `marked` did it, and when last. */
export const storedDeed = (place: CampaignKey, deed: Deed): RawBuilder<unknown> =>
  sql`${storedRows(place, deed)} and message_id not in (select message_id from marked)`

/** The same of messages whose `ids` a query finds: most are read from the index alone, in its order, and it may be many. */
export const storedAmong = (place: CampaignKey, deed: Deed, ids: RawBuilder<unknown>): RawBuilder<unknown> => {
  const isOne = sql`message_id = any(array(${ids})) and message_id not in (select message_id from marked)`
  return deed.links
    ? sql`${storedRows(place, deed)} and ${isOne}`
    : sql`select message_id, ${lastTime(deed)} as at from message_rollups
        where workspace_id = ${place.workspaceId} and ${didAny(deed)} and ${isOne}`
}

/** At most one row, `at`: when one message's recipient did it. Always by the index of the id. */
export const lookUpDeed = (place: CampaignKey, deed: Deed, messageId: RawBuilder<unknown>): RawBuilder<unknown> =>
  deed.links
    ? sql`select at from (${storedRows(place, deed)} and message_id = ${messageId} limit 1) one`
    : sql`select ${lastTime(deed)} as at from message_rollups
        where workspace_id = ${place.workspaceId} and message_id = ${messageId} and ${didAny(deed)} limit 1`

/**
 * The parts of a deed that have an index in the order of time each. Of a row `r` of `rows`, `ownTime` is what the index is ordered by, and
 * `at` the last time of all kinds: whose last activity is of another kind comes up in each part, always with the same `at`.
 */
export const partsByTime = (
  { workspaceId, id }: CampaignKey,
  deed: Deed,
): { rows: RawBuilder<unknown>; ownTime: RawBuilder<unknown>; at: RawBuilder<unknown> }[] =>
  deed.links
    ? [{ rows: sql`(${storedRows({ workspaceId, id }, deed)})`, ownTime: sql`r.at`, at: sql`r.at` }]
    : deed.activities.map((name) => ({
        rows: sql`(select * from message_rollups where workspace_id = ${workspaceId} and campaign_id = ${id}
          and ${didAny({ ...deed, activities: [name] })})`,
        ownTime: sql.ref(`r.${ACTIVITIES[name].column}`),
        at: lastTime(deed),
      }))

/** Some messages of a campaign: `ids` are counted as they are, and of those that are marked only `marked` matter; undefined: all. */
export interface Among {
  ids: string[]
  marked?: string[] | undefined
}

/** The same of all messages of a campaign, or of some. */
export const allDeeds = (place: CampaignKey, deed: Deed, among?: Among): RawBuilder<unknown> => sql`
  select * from (
    with ${among?.marked ? sql`marked as materialized (select unnest(${among.marked}::bigint[]) as message_id)` : markedMessages(place)}
    ${
      among
        ? sql`select of.id as message_id, one.at from unnest(${among.ids}::bigint[]) as of (id)
          cross join lateral (${lookUpDeed(place, deed, sql`of.id`)}) one where of.id not in (select message_id from marked)`
        : storedDeed(place, deed)
    }
    union all ${markedDeed(place, deed)}
  ) done`

/** Whether a row of events is one of these deeds, whatever the program. */
const isDeed = ({ activities, links }: Deed): RawBuilder<unknown> =>
  sql`(${sql.join(
    activities.map((name) => sql`kind = ${ACTIVITIES[name].kind} and class = ${ACTIVITIES[name].class}`),
    sql` or `,
  )}) ${links ? sql`and link = any(${links}::int[])` : sql``}`

/** Rows of message_id and at: who of those in `marked` did it, and when last. */
export function markedDeed(place: CampaignKey, deed: Deed): RawBuilder<unknown> {
  const { agents } = deed
  const within = agents
    ? sql`having bool_or(${agents.isRest ? sql`not` : sql``} user_agent = any(${agents.names}::text[]))`
    : sql``
  return sql`
    select marked.message_id, e.at from marked cross join lateral (
      select max(at) as at from events
      where message_id = marked.message_id ${onNode('workspace_id', place.workspaceId)} and ${isDeed(deed)} ${within} offset 0
    ) e where e.at is not null`
}

/**
 * Rows of message_id, at and is_unknown: all that is marked, and when the recipient did it last, by what is stored and the new events alone; null:
 * never. Where a mark names no events the time is unknown. Not for programs, and not on Citus.
 */
export const markedTimes = ({ workspaceId, id }: CampaignKey, deed: Deed): RawBuilder<unknown> => {
  const stored = deed.links
    ? storedRows({ workspaceId, id }, deed)
    : sql`select message_id, ${lastTime(deed)} as at from message_rollups where workspace_id = ${workspaceId} and ${didAny(deed)}`
  return sql`
    with marks as materialized (
      select message_ids, event_ids from event_changes where workspace_id = ${workspaceId} and campaign_id = ${id}
    )
    select message_id, max(at) as at, bool_or(is_unknown) as is_unknown from (
      select of.message_id, null::timestamptz as at, event_ids is null as is_unknown from marks cross join lateral unnest(message_ids) as of (message_id)
      union all
      select message_id, at, false from events
      where workspace_id = ${workspaceId} and id = any(array(select unnest(event_ids) from marks)) and ${isDeed(deed)}
      union all
      select message_id, at, false from (${stored} and message_id = any(array(select unnest(message_ids) from marks))) stored
    ) times group by message_id`
}
