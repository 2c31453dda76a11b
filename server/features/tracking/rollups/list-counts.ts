/** How many recipients a list of those who did something has. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { LOOK_UP, type Way, withoutWays } from '#server/platform/db/planner.ts'
import { isSpread, onNode } from '#server/platform/db/spread.ts'
import { ACTIVITIES, allDeeds, type CampaignKey, type Deed, didAny, markedMessages } from './activities.ts'
import { readFigures } from './counts-store.ts'
import type { Dimension } from './figures.ts'

/** The planner takes the events of a new campaign for a few, and would read all of them again for each recipient. */
const BY_HASH: Way[] = ['nestloop']

/** Requests of machines to a link, of which the messages are counted one by one. */
const MAX_COUNTED = 100_000

/** How many recipients of a campaign did it; undefined: no figure says so. In a transaction of one snapshot where it is more than one activity. */
export async function countDeed(db: Db, place: CampaignKey, deed: Deed): Promise<number | undefined> {
  const { activities, links, agents } = deed
  if (agents) return agents.isRest || agents.names.length > 0 ? undefined : 0
  if (links) {
    const isMachine = activities.includes('machineClicked')
    const figures = await withoutWays(db, BY_HASH, (db) => readFigures(db, place.workspaceId, [place.id], ['links']))
    const figure = figures.find(
      ({ dimension, number }) => dimension === (isMachine ? 'link-machine' : 'link') && number === links[0],
    )
    if (!figure || !isMachine) return figure?.messages ?? 0
    if (figure.total > MAX_COUNTED) return undefined
    const { rows } = await withoutWays(db, BY_HASH, (db) =>
      sql<{ count: string }>`select count(*) from (${allDeeds(place, deed)}) did`.execute(db),
    )
    return Number(rows[0]?.count ?? 0)
  }
  return isSpread()
    ? withoutWays(db, BY_HASH, (db) => countAnew(db, place, deed))
    : withoutWays(db, LOOK_UP, (db) => countWithMarks(db, place, deed))
}

/** The figure of an activity; of several ones (BY_PEOPLE) that of those who opened or clicked. */
const findFigure = ({ activities: [only, ...others] }: Deed): Dimension =>
  only && others.length === 0 ? ACTIVITIES[only].figure : 'engaged'

/** Rows of message_rollups that the figure misses: who unsubscribed alone. Nearly all who do clicked or opened. */
const beside = ({ activities }: Deed, { workspaceId, id }: CampaignKey): RawBuilder<unknown> =>
  activities.length === 1
    ? sql`select message_id from message_rollups where false`
    : sql`select message_id from message_rollups where workspace_id = ${workspaceId} and campaign_id = ${id}
        and unsubscribed_at is not null and opened_at is null and clicked_at is null`

/**
 * The figure, with what the marks change of it alone. What marks name was inserted, so it makes one more of each message that is not stored
 * as having done it, whether it was counted meanwhile or not. One statement sees both at one moment.
 */
async function countWithMarks(db: Db, place: CampaignKey, deed: Deed): Promise<number> {
  const { workspaceId, id } = place
  const ofCampaign = sql`workspace_id = ${workspaceId} and campaign_id = ${id}`
  const isIt = sql`(${sql.join(
    deed.activities.map(
      (name) => sql`kind = ${sql.lit(ACTIVITIES[name].kind)} and class = ${sql.lit(ACTIVITIES[name].class)}`,
    ),
    sql` or `,
  )})`
  const { rows } = await sql<{ count: string }>`
    with anew as materialized (
      select distinct of.message_id from event_changes cross join lateral unnest(message_ids) as of (message_id)
      where ${ofCampaign} and event_ids is null
    ), added as materialized (
      select distinct message_id from events
      where workspace_id = ${workspaceId} and id = any(array(select unnest(event_ids) from event_changes where ${ofCampaign}))
        and ${isIt} and message_id not in (select message_id from anew)
    )
    select coalesce((
      select messages from event_counts where ${ofCampaign} and dimension = ${findFigure(deed)} and number = 0
    ), 0) + (
      select count(*) from (${beside(deed, place)}) b
    ) + (
      select count(*) from added
    ) - (
      select count(*) from message_rollups
      where workspace_id = ${workspaceId} and message_id = any(array(select message_id from added)) and ${didAny(deed)}
    ) + (
      select count(*) filter (where has_now) - count(*) filter (where had) from (
        select exists (
          select 1 from message_rollups where workspace_id = ${workspaceId} and message_id = anew.message_id and ${didAny(deed)}) as had, exists (
          select 1 from events where message_id = anew.message_id and ${isIt} offset 0) as has_now
        from anew
      ) both_times
    ) as count`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** The same on Citus, where all that is marked is counted anew. */
async function countAnew(db: Db, place: CampaignKey, deed: Deed): Promise<number> {
  const figures = await readFigures(db, place.workspaceId, [place.id], ['kinds'])
  const figure = figures.find(({ dimension }) => dimension === findFigure(deed))?.messages ?? 0
  if (deed.activities.length === 1) return figure
  const { rows } = await sql<{ count: string }>`
    with ${markedMessages(place)} select (
      select count(*) from (${beside(deed, place)}) b where message_id not in (select message_id from marked)
    ) + (
      select count(*) from marked cross join lateral (
        select bool_or(kind = 'unsubscribe') as has_left, bool_or(kind in ('open', 'click')) as is_engaged from events
        where message_id = marked.message_id ${onNode('workspace_id', place.workspaceId)} and class = 'human' offset 0
      ) e where has_left and not is_engaged
    ) as count`.execute(db)
  return figure + Number(rows[0]?.count ?? 0)
}

/** How many recipients of a campaign have an address that was refused for good, then or later. */
export async function countRefused(db: Db, { workspaceId, id }: CampaignKey): Promise<number> {
  const [refused] = await readFigures(db, workspaceId, [id], ['refused'])
  return refused?.messages ?? 0
}
