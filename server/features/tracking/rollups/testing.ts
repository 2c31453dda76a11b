/** For tests: the figures of a report, and what they are by a plain count. */
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { ACTIVITIES, type Activity, BY_PEOPLE } from './activities.ts'
import { readFigures } from './counts-store.ts'
import { ALL_GROUPS, DIMENSIONS } from './figures.ts'
import { countDeed } from './list-counts.ts'

interface RawEvent {
  messageId: string
  address: string
  kind: string
  class: string
  url: string | null
  link: number | null
  at: Date
  times: number
  userAgent: string
}

const toDomain = (address: string) => (address.includes('@') ? address.split('@').at(-1)?.toLowerCase() : '')

/** The figures of a campaign as a plain count over its events and messages: total and messages by dimension and what is counted. */
export async function countRaw(
  db: Db,
  workspaceId: string,
  campaignId: string,
): Promise<Record<string, [number, number]>> {
  const { rows } = await sql<RawEvent>`
    select e.*, m.address, l.url,
      (select min(link) from campaign_links s where s.workspace_id = ${workspaceId} and s.campaign_id = l.campaign_id and s.url = l.url) as link
    from events e join messages m on m.workspace_id = e.workspace_id and m.id = e.message_id
    left join campaign_links l on l.workspace_id = e.workspace_id and l.campaign_id = e.campaign_id and l.link = e.link
    where e.workspace_id = ${workspaceId} and e.campaign_id = ${campaignId}`.execute(db)
  const found = new Map<string, { total: number; messages: Set<string> }>()
  const add = (key: string, { messageId, times }: RawEvent, counts: { total: boolean; messages: boolean }) => {
    const figure = found.get(key) ?? { total: 0, messages: new Set() }
    if (counts.total) figure.total += times
    if (counts.messages) figure.messages.add(messageId)
    found.set(key, figure)
  }
  for (const row of rows) {
    const isHuman = row.class === 'human'
    const minute = Math.floor(row.at.getTime() / 60_000)
    const by = isHuman ? row.kind : 'machine'
    add(`${row.kind}${isHuman ? '' : '-machine'}`, row, { total: true, messages: true })
    if (isHuman && ['open', 'click', 'unsubscribe'].includes(row.kind))
      add('by people', row, { total: false, messages: true })
    if (row.kind === 'open' || row.kind === 'click') {
      if (isHuman) add('engaged', row, { total: false, messages: true })
      add(`minute-${by} ${minute}`, row, { total: true, messages: false })
      add(`hour-${by} ${Math.floor(minute / 60)}`, row, { total: true, messages: false })
    }
    if (row.kind === 'click')
      add(`link${isHuman ? '' : '-machine'} ${row.link}`, row, { total: true, messages: isHuman })
    if (row.kind === 'open' && isHuman) add(`agent ${row.userAgent}`, row, { total: true, messages: false })
    const domain = { open: 'opened', click: 'clicked', complaint: 'complained' }[row.kind]
    if (isHuman && domain) add(`domain-${domain} ${toDomain(row.address)}`, row, { total: false, messages: true })
  }
  const outcomes = await countOutcomes(db, workspaceId, campaignId)
  return Object.fromEntries([
    ...[...found].map(([key, { total, messages }]) => [key, [total, messages.size]]),
    ...[...outcomes].map(([key, count]) => [key, [0, count]]),
  ])
}

async function countOutcomes(db: Db, workspaceId: string, campaignId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ address: string; state: string; reason: string }>`
    select address, state, reason from messages where workspace_id = ${workspaceId} and campaign_id = ${campaignId}`.execute(
    db,
  )
  const found = new Map<string, number>()
  const add = (key: string) => found.set(key, (found.get(key) ?? 0) + 1)
  for (const { address, state, reason } of rows) {
    if (!['sent', 'deferred', 'failed', 'bounced', 'unconfirmed'].includes(state)) continue
    const isAddress = state === 'failed' && ['hard', 'soft', 'expired'].includes(reason)
    const isBlock = reason === 'block' && state !== 'sent' && state !== 'unconfirmed'
    add(`domain-${state}${isAddress ? '-address' : isBlock ? '-block' : ''} ${toDomain(address)}`)
    if (state === 'bounced' || isAddress) add('refused')
  }
  return found
}

/** What lists and reports read, in the form of countRaw. */
export async function readReported(
  db: Db,
  workspaceId: string,
  campaignId: string,
): Promise<Record<string, [number, number]>> {
  const figures = await readFigures(db, workspaceId, [campaignId], ALL_GROUPS)
  const named: readonly string[] = [...DIMENSIONS.agents, ...DIMENSIONS.domains, ...DIMENSIONS.receivers]
  const plain: readonly string[] = [...DIMENSIONS.kinds, ...DIMENSIONS.refused]
  const reported = new Map(
    figures.map(({ dimension, number, name, total, messages }): [string, [number, number]] => [
      plain.includes(dimension) ? dimension : `${dimension} ${named.includes(dimension) ? name : number}`,
      [total, messages],
    ]),
  )
  // How many recipients a list of those who did it has, in place of the figure.
  for (const [activity, { figure }] of Object.entries(ACTIVITIES)) {
    const count = await countDeed(db, { workspaceId, id: campaignId }, { activities: [activity as Activity] })
    if (count !== 0 || reported.has(figure)) reported.set(figure, [reported.get(figure)?.[0] ?? 0, count ?? -1])
  }
  const byPeople = await countDeed(db, { workspaceId, id: campaignId }, BY_PEOPLE)
  if (byPeople !== 0) reported.set('by people', [0, byPeople ?? -1])
  return Object.fromEntries(reported)
}
