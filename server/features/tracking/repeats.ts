import { isSpread } from '#server/platform/db/spread.ts'
import type { NewEvent, StoredClick } from './events-store.ts'
import { countSpread } from './spread-events.ts'
import type { Run } from './statements.ts'

/** Events of a kind and message that have a row each; further ones are counted on the newest like them. */
const MAX_ROWS = 50
/** Requests after which the database is asked how many rows there are. Below it nothing is: ordinary readers cost nothing. */
const ASKED_AFTER = 20
const BUCKETS = 2 ** 20
const DAY_MS = 86_400_000

const countStatement = `
  with given as (
    select * from jsonb_to_recordset($1::jsonb) as i (n int, message bigint, kind text, link int, class text, times int)
  ), counted as (
    update events e set times = e.times + g.times from given g
    where e.id = (select l.id from events l where l.message_id = g.message and l.kind = g.kind and l.class = g.class
        and l.link is not distinct from g.link order by l.at desc, l.id desc limit 1)
      and (select count(*) from (select 1 from events r where r.message_id = g.message and r.kind = g.kind limit ${MAX_ROWS}) stored) >= ${MAX_ROWS}
    returning g.n, e.workspace_id, e.campaign_id, e.link
  )
  select c.n, coalesce(l.url, '') as url from counted c
  left join campaign_links l on l.workspace_id = c.workspace_id and l.campaign_id = c.campaign_id and l.link = c.link`

/**
 * Keeps one token from writing rows without end. How often a kind of request came for a message is known roughly, in a
 * fixed memory: messages that share a bucket are asked about too early, never too late.
 */
export class Repeats {
  private readonly seen = new Uint8Array(BUCKETS)
  private since = performance.now()
  /** Batches of one process count in turn: side by side they would lock the same rows in different orders. */
  private counting: Promise<unknown> = Promise.resolve()

  /** Counts those events of a batch whose message has its rows already. Returns them by their position. */
  async count(run: Run, events: NewEvent[]): Promise<Map<number, StoredClick>> {
    const groups = new Map<string, number[]>()
    for (const [n, event] of events.entries()) {
      if (!this.isOften(event)) continue
      const { messageId, kind, link, verdict } = event
      const key = `${messageId} ${kind} ${link} ${verdict.class}`
      groups.set(key, [...(groups.get(key) ?? []), n])
    }
    const counted = new Map<number, StoredClick>()
    if (groups.size === 0) return counted
    const given = [...groups.values()].map((places) => {
      const [n = 0] = places
      const { messageId, kind, link, verdict } = events[n] as NewEvent
      return { n, message: messageId, kind, link, class: verdict.class, times: places.length, places }
    })
    const plain = given.map(({ places: _, ...group }) => group)
    const counting = this.counting.then(() =>
      isSpread()
        ? countSpread(run, plain, MAX_ROWS)
        : run<{ n: number; url: string }>('repeats', countStatement, [JSON.stringify(plain)]),
    )
    this.counting = counting.catch(() => undefined)
    const rows = await counting
    for (const { n, url } of rows)
      for (const place of given.find((group) => group.n === n)?.places ?? [])
        counted.set(place, { n: place, url, early: false })
    return counted
  }

  private isOften({ messageId, kind }: NewEvent): boolean {
    if (performance.now() - this.since > DAY_MS) {
      this.seen.fill(0)
      this.since = performance.now()
    }
    let hash = kind.charCodeAt(0)
    for (let i = 0; i < messageId.length; i++) hash = (Math.imul(hash, 31) + messageId.charCodeAt(i)) | 0
    const bucket = (hash ^ (hash >>> 15)) & (BUCKETS - 1)
    const times = this.seen[bucket] ?? 0
    if (times < ASKED_AFTER) this.seen[bucket] = times + 1
    return times >= ASKED_AFTER
  }
}
