/** Figures of events as SQL: the roller stores them, and reports read them. */
import { type RawBuilder, sql } from 'kysely'
import { onNode } from '#server/platform/db/spread.ts'
import { hash, messageDomain, OUTCOMES, outcomeFigures } from './outcomes.ts'

const KINDS = ['open', 'click', 'unsubscribe', 'complaint', 'view'] as const
type Kind = (typeof KINDS)[number]

/** The dimensions of event_counts by what they are about; a reader asks for groups of them. These are of events. */
const OF_EVENTS = {
  kinds: [...KINDS.flatMap((kind) => [kind, `${kind}-machine`] as const), 'engaged'],
  links: ['link', 'link-machine'],
  hours: ['hour-open', 'hour-click', 'hour-machine'],
  minutes: ['minute-open', 'minute-click', 'minute-machine'],
  agents: ['agent'],
  domains: ['domain-opened', 'domain-clicked', 'domain-complained'],
} as const
/** Those of messages, whatever their events. */
const OF_MESSAGES = {
  refused: ['refused'],
  receivers: OUTCOMES.map((outcome) => `domain-${outcome}` as const),
} as const
export const DIMENSIONS = { ...OF_EVENTS, ...OF_MESSAGES } as const
export type Group = keyof typeof DIMENSIONS
export type Dimension = (typeof DIMENSIONS)[Group][number]
type EventGroup = keyof typeof OF_EVENTS
export const EVENT_GROUPS = Object.keys(OF_EVENTS) as EventGroup[]
export const MESSAGE_GROUPS = Object.keys(OF_MESSAGES) as (keyof typeof OF_MESSAGES)[]
export const ALL_GROUPS: readonly Group[] = [...EVENT_GROUPS, ...MESSAGE_GROUPS]

/** How message_rollups calls a kind by people (0) or machines (1). */
export const toKindCode = (kind: Kind, machine: 0 | 1 = 0) => sql.lit(2 * KINDS.indexOf(kind) + machine)
const OPEN = toKindCode('open')
const CLICK = toKindCode('click')
const COMPLAINT = toKindCode('complaint')
const MACHINE_CLICK = toKindCode('click', 1)

/** Of the parts of a message: clicks on known links, and whose. */
export const isClick = sql`link is not null and kind in (${toKindCode('click')}, ${toKindCode('click', 1)})`
export const byMachine = sql`kind = ${toKindCode('click', 1)} as by_machine`

const toCode = sql`(${sql.lit(2)} * array_position(array[${sql.join(KINDS.map((kind) => sql.lit(kind)))}], kind) - 2
  + case class when 'machine' then 1 else 0 end)::smallint`

/** What is counted of a row of events. */
export const partOfEvent = sql`
  ${toCode} as kind, case when kind = 'click' then link end as link,
  case when kind in ('open', 'click') then floor(date_part('epoch', at) / 60)::integer end as minute,
  case when kind = 'open' and class = 'human' then ${hash(sql`user_agent`)} end as agent,
  case when kind = 'open' and class = 'human' then user_agent end as name, times`

/**
 * The common table expression `fresh`: the events of the messages in `marked` (campaign_id, message_id) as they are, alike ones in one row. It
 * looks up message by message, because right after a campaign was sent the planner knows nothing of its events. It would also read
 * the index of the whole workspace for each of them, were the workspace named (decision 0013).
 */
export const freshParts = (workspaceId: string): RawBuilder<unknown> => sql`
  ${sameLinks(workspaceId, sql`select campaign_id from marked`)}, ${freshOfMarked(workspaceId)}`

/** The common table expression `same_links`: the lowest number of a link to the same destination, of the links of these campaigns. */
export const sameLinks = (workspaceId: string, campaigns: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  same_links as materialized (
    select campaign_id, link, min(link) over (partition by campaign_id, url) as first from campaign_links
    where workspace_id = ${workspaceId} and campaign_id in (${campaigns})
  )`

/** `fresh` after `same_links`. */
export const freshOfMarked = (workspaceId: string): RawBuilder<unknown> => sql`
  addressed as materialized (
    select marked.*, ${messageDomain(sql.ref('a.address'))} as domain
    from marked left join lateral (select address from messages where workspace_id = ${workspaceId} and id = marked.message_id limit 1) a on true
  ), fresh as materialized (
    select m.campaign_id, m.message_id, m.domain, e.kind, coalesce(s.first, e.link) as link, e.minute, e.agent, max(e.name) as name, sum(e.times)::bigint as times, max(e.at) as last_at,
      max(e.id) as last_event
    from addressed m
    cross join lateral (
      select ${partOfEvent}, at, id from events where message_id = m.message_id ${onNode('workspace_id', workspaceId)} offset 0
    ) e
    left join same_links s on s.campaign_id = m.campaign_id and s.link = e.link
    group by 1, 2, 3, 4, 5, 6, 7
  )`

/** The figures of each group as rows of campaign_id, dimension, number, name, total and messages. */
const figures: Record<Group, RawBuilder<unknown>> = {
  ...outcomeFigures,
  kinds: sql`
    select campaign_id, (array[${sql.join(DIMENSIONS.kinds.map((name) => sql.lit(name)))}])[kind + 1] as dimension, 0::bigint as number, ''::text as name,
      sum(total) as total, sum(messages) as messages
    from (
      select campaign_id, kind, total, 0 as messages from totals union all select campaign_id, kind, 0, sign from touched
    ) k group by campaign_id, kind
    union all
    select campaign_id, 'engaged', 0, '', 0, sum(sign)
    from (select distinct sign, campaign_id, message_id from touched where kind in (${OPEN}, ${CLICK})) e group by campaign_id`,
  links: sql`
    select campaign_id, case kind when ${CLICK} then 'link' else 'link-machine' end, link, '', sum(total), sum(messages)
    from (
      select campaign_id, kind, link, total, 0 as messages from totals
      union all
      select campaign_id, kind, link, 0, sign
      from (select distinct sign, campaign_id, message_id, kind, link from parts where kind = ${CLICK}) d
    ) l where kind in (${CLICK}, ${MACHINE_CLICK}) and link is not null group by campaign_id, kind, link`,
  hours: timeFigures('hour', sql`minute / 60`),
  minutes: timeFigures('minute', sql`minute`),
  agents: sql`
    select campaign_id, 'agent', agent, coalesce(max(name), ''), sum(total), 0 from totals where kind = ${OPEN} group by campaign_id, agent`,
  domains: sql`
    select campaign_id, case kind when ${OPEN} then 'domain-opened' when ${CLICK} then 'domain-clicked' else 'domain-complained' end,
      ${hash(sql`domain`)}, domain, 0, sum(sign)
    from touched where kind in (${OPEN}, ${CLICK}, ${COMPLAINT}) group by campaign_id, kind, domain`,
}

function timeFigures(name: 'hour' | 'minute', number: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select campaign_id, case kind when ${OPEN} then ${sql.lit(`${name}-open`)} when ${CLICK} then ${sql.lit(`${name}-click`)} else ${sql.lit(`${name}-machine`)} end,
      ${number}, '', sum(total), 0
    from totals where minute is not null group by campaign_id, 2, 3`
}

/** Common table expressions after `parts`, which the figures are made of; `more` adds rows to their totals. */
export const sumsWith = (more: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  totals as materialized (
    select campaign_id, kind, link, minute, agent, max(name) as name, sum(sign * times) as total
    from (select sign, campaign_id, kind, link, minute, agent, name, times from parts ${more}) p group by campaign_id, kind, link, minute, agent
  ), touched as materialized (
    select distinct sign, campaign_id, message_id, domain, kind from parts
  )`

export const sums = sumsWith(sql``)

/** The rows of `parts`. */
export const partsOfMarked = (workspaceId: string): RawBuilder<unknown> => sql`
  select 1 as sign, campaign_id, message_id, domain, kind, link, minute, agent, name, times from fresh
  union all
  select -1, m.campaign_id, m.message_id, r.domain, p.kind, p.link, p.minute, p.agent, null, p.times
  from marked m
  cross join lateral (select * from message_rollups where workspace_id = ${workspaceId} and message_id = m.message_id limit 1) r
  cross join lateral unnest(r.kinds, r.links, r.minutes, r.agents, r.times) as p (kind, link, minute, agent, times)`

/** Common table expressions after `fresh`: what events add, and (as sign -1) what is stored of the messages in `marked`. */
export const partsAndSums = (workspaceId: string): RawBuilder<unknown> =>
  sql`parts as materialized (${partsOfMarked(workspaceId)}), ${sums}`

/** The common table expression `difference`: these groups of figures of `parts` or `outcomes`, and `other` rows of figures. */
export const difference = (groups: readonly Group[], other: RawBuilder<unknown> = sql``): RawBuilder<unknown> => sql`
  difference as (
    select campaign_id, dimension, number, max(name) as name, sum(total)::bigint as total, sum(messages)::bigint as messages
    from (
      select null::bigint as campaign_id, '' as dimension, 0::bigint as number, '' as name, 0::numeric as total, 0::numeric as messages where false
      union all ${sql.join(
        groups.map((group) => figures[group]),
        sql` union all `,
      )} ${other}) f
    group by campaign_id, dimension, number
  )`
