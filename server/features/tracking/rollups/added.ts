/**
 * What events that were added change, as SQL: of what is stored of their messages, by the new events alone. A mark names them where nothing
 * else happened to the events of its messages. Reports read it, and the roller stores it.
 */
import { type RawBuilder, sql } from 'kysely'
import { isSpread } from '#server/platform/db/spread.ts'
import { lastTimeOfKind } from './activities.ts'
import {
  byMachine,
  freshOfMarked,
  freshParts,
  isClick,
  partOfEvent,
  partsAndSums,
  partsOfMarked,
  sameLinks,
  sumsWith,
} from './figures.ts'
import { messageDomain } from './outcomes.ts'

/**
 * `marked` (campaign_id, message_id): messages whose events are counted anew. `named`: new events of marks that say which. `added`: by message what is
 * new, and what is stored. A new event that is not later than all that were counted may be one of them, so its message is counted anew.
 */
const namedByMarks = (workspaceId: string): RawBuilder<unknown> => sql`
  named as materialized (
    select e.id, e.at, e.campaign_id, e.message_id, e.kind, e.minute, e.agent, e.name, e.times,
      case when e.link is not null then
        coalesce((select first from same_links s where s.campaign_id = e.campaign_id and s.link = e.link), e.link) end as link
    from (
      select id, at, campaign_id, message_id, ${partOfEvent} from events
      where workspace_id = ${workspaceId} and id = any(array(select unnest(event_ids) from marks))
    ) e
  ), added as materialized (
    select campaign_id, message_id, array_agg(kind) filter (where is_new) as new_kinds, array_agg(link) filter (where is_new) as new_links,
      bool_or(link is not null) as has_links, max(kinds) as kinds, max(links) as links, max(domain) as domain,
      not every(is_new) and (min(id) > max(last_event)) is not true as is_unclear
    from (
      select true as is_new, campaign_id, message_id, id, kind, link, null::smallint[] as kinds, null::int[] as links, null as domain, null::bigint as last_event
      from named
      union all
      select false, campaign_id, message_id, null, null, null, kinds, links, domain, last_event from message_rollups
      where workspace_id = ${workspaceId} and message_id = any(array(select message_id from named))
    ) new_and_stored group by campaign_id, message_id
  ), marked as materialized (
    select campaign_id, of.message_id from marks cross join lateral unnest(message_ids) as of (message_id) where event_ids is null
    union
    select campaign_id, message_id from added where is_unclear
  )`

/** After `added`: what the rollup of a message has not, with what it has. */
const news = (workspaceId: string): RawBuilder<unknown> => sql`
  news as materialized (
    select a.campaign_id, a.message_id, n.kind, n.link, a.kinds, a.links, coalesce(a.domain, ${messageDomain(sql.ref('m.address'))}) as domain
    from added a
    cross join lateral (
      select kind, link from unnest(a.new_kinds, a.new_links) as of (kind, link)
      except select kind, link from unnest(a.kinds, a.links) as of (kind, link)
    ) n
    left join lateral (
      select address from messages where a.domain is null and workspace_id = ${workspaceId} and id = a.message_id limit 1
    ) m on true
    where (a.kinds @> a.new_kinds and not a.has_links) is not true and a.message_id not in (select message_id from marked)
  )`

/** Messages of a mark that are looked at to choose how it is read. */
const LOOKED_AT = sql.lit(20)

/**
 * The common table expression `marks` (id, campaign_id, message_ids, event_ids), of such rows of event_changes. Where most messages of one are not
 * stored yet, it names no events: looking up all that a message has costs less than each of its events, the first time.
 */
export const marksIn = (workspaceId: string, changes: RawBuilder<unknown>): RawBuilder<unknown> =>
  isSpread()
    ? sql`marks as materialized (${changes})`
    : sql`
  marks as materialized (
    select id, campaign_id, message_ids, case when event_ids is not null and 2 * (
      select count(*) from message_rollups where workspace_id = ${workspaceId} and message_id = any(changes.message_ids[1:${LOOKED_AT}])
    ) >= least(cardinality(message_ids), ${LOOKED_AT}) then event_ids end as event_ids
    from (${changes}) changes
  )`

/**
 * Common table expressions as `marked`, freshParts and partsAndSums, of what `marks` (campaign_id, message_ids, event_ids) name. How many
 * messages did something changes only with what is new of one: then all it did before is a part that is added and taken off again. On Citus
 * all that is marked is counted anew.
 */
export const partsOfMarks = (workspaceId: string): RawBuilder<unknown> =>
  isSpread()
    ? sql`marked as materialized (
        select distinct campaign_id, message_id from marks cross join lateral unnest(message_ids) as of (message_id)
      ), ${freshParts(workspaceId)}, ${partsAndSums(workspaceId)}`
    : sql`
  ${sameLinks(workspaceId, sql`select campaign_id from marks`)}, ${namedByMarks(workspaceId)}, ${freshOfMarked(workspaceId)},
  ${news(workspaceId)}, parts as materialized (
    ${partsOfMarked(workspaceId)}
    union all
    select 1, campaign_id, message_id, domain, kind, link, null, null, null, 0 from news
    union all
    select sign, campaign_id, message_id, domain, p.kind, p.link, null, null, null, 0
    from (select distinct on (message_id) campaign_id, message_id, domain, kinds, links from news) n
    cross join lateral unnest(n.kinds, n.links) as p (kind, link) cross join (values (1), (-1)) as both_ways (sign)
  ), ${sumsWith(sql`
    union all
    select 1, campaign_id, kind, link, minute, agent, name, times from named where message_id not in (select message_id from marked)`)}`

/**
 * After partsOfMarks, the common table expression `renewed`: what message_rollups has of all messages from now on, in parts, as `fresh` has those
 * that are counted anew. A message without a domain is not stored yet.
 */
export const renewedParts = (workspaceId: string): RawBuilder<unknown> =>
  isSpread()
    ? sql`renewed as (select campaign_id, message_id, domain, kind, link, minute, agent, times, last_at, last_event from fresh)`
    : sql`
  renewed as (
    select campaign_id, message_id, domain, kind, link, minute, agent, times, last_at, last_event from fresh
    union all
    select campaign_id, message_id, max(domain), kind, link, minute, agent, sum(times)::bigint, max(last_at), max(last_event)
    from (
      select campaign_id, message_id, null as domain, kind, link, minute, agent, times, at as last_at, id as last_event from named
      union all
      select a.campaign_id, a.message_id, r.domain, p.kind, p.link, p.minute, p.agent, p.times, ${lastTimeOfKind}, null
      from added a
      cross join lateral (select * from message_rollups where workspace_id = ${workspaceId} and message_id = a.message_id limit 1) r
      cross join lateral unnest(r.kinds, r.links, r.minutes, r.agents, r.times) as p (kind, link, minute, agent, times)
    ) both_parts
    where message_id not in (select message_id from marked)
    group by campaign_id, message_id, kind, link, minute, agent
  )`

/** After partsOfMarks, the common table expression `clicked` (campaign_id, link, by_machine, message_id, clicked_at): clicks on links that are new of messages that are not in `marked`. */
export const newClicks = (): RawBuilder<unknown> =>
  isSpread()
    ? sql`clicked as (select campaign_id, link, ${byMachine}, message_id, last_at as clicked_at from fresh where false)`
    : sql`
  clicked as (
    select campaign_id, link, ${byMachine}, message_id, max(at) as clicked_at from named
    where ${isClick} and message_id not in (select message_id from marked) group by 1, 2, 3, 4
  )`
