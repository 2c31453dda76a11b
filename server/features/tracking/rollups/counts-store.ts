import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { marksIn, partsOfMarks } from './added.ts'
import { DIMENSIONS, type Dimension, difference, EVENT_GROUPS, type Group, MESSAGE_GROUPS } from './figures.ts'
import { outcomesIn } from './outcomes.ts'

/** A figure of a campaign: requests, and different messages where they are counted. */
export interface Figure {
  campaignId: string
  dimension: Dimension
  /** A link, hour or minute; otherwise without meaning. */
  number: number
  /** A user agent or domain. */
  name: string
  total: number
  messages: number
}

/** Names of one dimension that are returned by themselves; the rare rest is one row with an empty name. */
const MAX_NAMED = 5_000

const isIn = (groups: readonly Group[], group: Group) => groups.includes(group)

/**
 * Common table expressions that end with `figures` (campaign_id, dimension, number, name, total, messages): what is counted of these
 * campaigns, and what changed since then adds to it. One statement with them is exact at its moment.
 */
export const withFigures = (
  workspaceId: string,
  campaignIds: string[],
  groups: readonly Group[],
): RawBuilder<unknown> => {
  const dimensions = groups.flatMap((group) => [...DIMENSIONS[group]])
  const ofCampaigns = sql`workspace_id = ${workspaceId} and campaign_id = any(${campaignIds}::bigint[])`
  const parts = [
    ...(groups.some((group) => isIn(EVENT_GROUPS, group))
      ? [
          marksIn(
            workspaceId,
            sql`select id, campaign_id, message_ids, event_ids from event_changes where ${ofCampaigns}`,
          ),
          partsOfMarks(workspaceId),
        ]
      : []),
    ...(groups.some((group) => isIn(MESSAGE_GROUPS, group))
      ? [outcomesIn(sql`select campaign_id, domains, outcomes, messages from message_changes where ${ofCampaigns}`)]
      : []),
    difference(groups),
  ]
  return sql`
    ${sql.join(parts)}, figures as (
      select campaign_id, dimension, number, max(name) as name, sum(total)::bigint as total, sum(messages)::bigint as messages
      from (
        select campaign_id, dimension, number, name, total, messages from event_counts
        where ${ofCampaigns} and dimension = any(${dimensions}::text[])
        union all
        select campaign_id, dimension, number, name, total, messages from difference
      ) f group by campaign_id, dimension, number having sum(total) <> 0 or sum(messages) <> 0
    )`
}

/** Reads groups of figures of campaigns, except zeros. Of user agents the 5,000 most frequent are named. */
export async function readFigures(
  db: Db,
  workspaceId: string,
  campaignIds: string[],
  groups: readonly Group[],
): Promise<Figure[]> {
  if (campaignIds.length === 0) return []
  const { rows } = await sql<
    Omit<Figure, 'number' | 'total' | 'messages'> & Record<'number' | 'total' | 'messages', string>
  >`
    with ${withFigures(workspaceId, campaignIds, groups)}, placed as (
      select *, dimension = 'agent' and row_number() over (partition by campaign_id, dimension order by total desc) > ${MAX_NAMED} as is_rare
      from figures
    )
    select campaign_id, dimension, number, name, total, messages from placed where not is_rare
    union all
    select campaign_id, dimension, 0, '', sum(total)::bigint, sum(messages)::bigint from placed where is_rare group by campaign_id, dimension`.execute(
    db,
  )
  return rows.map((row) => ({
    ...row,
    number: Number(row.number),
    total: Number(row.total),
    messages: Number(row.messages),
  }))
}
