/** Writes events where tables are spread over nodes: a batch has messages of many workspaces, and a node joins rows of one. */
import { CLASSIFIER } from './classify.ts'
import type { NewEvent } from './events-store.ts'
import type { Run } from './statements.ts'

const messagesStatement = `
  select id, workspace_id, campaign_id, sent_at is null and state <> 'unconfirmed' as early from messages where id = any($1::bigint[])`

// With the workspaces, by which the key of a link begins: the whole table would be read otherwise.
const linksStatement = `
  select campaign_id, link, url from campaign_links
  where workspace_id = any($1::bigint[]) and campaign_id = any($2::bigint[]) and link = any($3::int[])`

const insertStatement = `
  insert into events (workspace_id, campaign_id, message_id, kind, link, at, network, user_agent, hints, class, reason, classifier)
  select workspace_id, campaign_id, message, kind, link, to_timestamp(at / 1000), network, agent, hints, class, reason, ${CLASSIFIER}
  from jsonb_to_recordset($1::jsonb) as i (workspace_id bigint, campaign_id bigint, message bigint, kind text, link int, at float8,
    network text, agent text, hints jsonb, class text, reason text)`

/** An event that was written; `n`: its position in the batch. */
export interface WrittenEvent {
  n: number
  messageId: string
  /** No acceptance by the mail server was known. */
  early: boolean
  /** The stored destination of a click; '' of others. */
  url: string
}

/** Writes those whose message exists, and of clicks those whose link exists. Returns what was written. */
export async function insertSpread(run: Run, events: readonly NewEvent[]): Promise<WrittenEvent[]> {
  const messages = await run<{ id: string; workspace_id: string; campaign_id: string; early: boolean }>(
    'spread-messages',
    messagesStatement,
    [[...new Set(events.map(({ messageId }) => messageId))]],
  )
  const known = new Map(messages.map((message) => [message.id, message]))
  const clicked = events.flatMap(({ link }) => link ?? [])
  const links =
    clicked.length === 0
      ? []
      : await run<{ campaign_id: string; link: number; url: string }>('spread-links', linksStatement, [
          [...new Set(messages.map((message) => message.workspace_id))],
          [...new Set(messages.map((message) => message.campaign_id))],
          [...new Set(clicked)],
        ])
  const urls = new Map(links.map(({ campaign_id, link, url }) => [`${campaign_id} ${link}`, url]))
  const written = events.flatMap((event, n) => {
    const message = known.get(event.messageId)
    const url = event.link === null ? '' : urls.get(`${message?.campaign_id} ${event.link}`)
    return message === undefined || url === undefined ? [] : [{ event, message, url, n }]
  })
  if (written.length > 0)
    await run('spread-events', insertStatement, [
      JSON.stringify(
        written.map(({ event, message }) => ({
          workspace_id: message.workspace_id,
          campaign_id: message.campaign_id,
          message: event.messageId,
          kind: event.kind,
          link: event.link,
          at: event.at,
          network: event.network,
          agent: event.userAgent,
          hints: message.early ? { ...event.hints, early: true } : event.hints,
          ...event.verdict,
        })),
      ),
    ])
  return written.map(({ event, message, url, n }) => ({ n, messageId: event.messageId, early: message.early, url }))
}

/** Requests of a kind that a message had often before, as they are counted together. */
interface Repeated {
  n: number
  message: string
  kind: string
  link: number | null
  class: string
  times: number
}

const repeatStatement = `
  select e.workspace_id, e.id, e.campaign_id from events e
  where e.message_id = $1 and e.kind = $2 and e.class = $3 and e.link is not distinct from $4::int order by e.at desc, e.id desc limit 1`

const manyStatement = `
  select count(*)::int as n from (select 1 from events where message_id = $1 and kind = $2 limit $3) stored`

/** Counts those whose message has `most` rows of the kind on the newest row like them. Returns where they stand in the batch. */
export async function countSpread(
  run: Run,
  groups: readonly Repeated[],
  most: number,
): Promise<{ n: number; url: string }[]> {
  const counted: { n: number; url: string }[] = []
  for (const { n, message, kind, link, times, ...group } of groups) {
    const [stored] = await run<{ n: number }>('spread-many', manyStatement, [message, kind, most])
    if ((stored?.n ?? 0) < most) continue
    const [event] = await run<{ workspace_id: string; id: string; campaign_id: string }>(
      'spread-repeat',
      repeatStatement,
      [message, kind, group.class, link],
    )
    if (!event) continue
    await run('spread-times', 'update events set times = times + $3 where workspace_id = $1 and id = $2', [
      event.workspace_id,
      event.id,
      times,
    ])
    const place = [[event.workspace_id], [event.campaign_id], [link ?? 0]]
    const [target] = await run<{ url: string }>('spread-links', linksStatement, place)
    counted.push({ n, url: target?.url ?? '' })
  }
  return counted
}
