import type { Pool } from 'pg'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { createBatches } from './batches.ts'
import { insertClicks, insertOpens, type NewEvent, type StoredClick } from './events-store.ts'
import { judgeAgain, judgeBursts } from './judge.ts'
import { Repeats } from './repeats.ts'
import { createStatements } from './statements.ts'
import { createTotals } from './totals/totals.ts'

const BURST_DELAY_MS = 500
const EARLY_DELAY_MS = 2_000
const AT_ONCE = 2_000

/**
 * Message ids that are looked at together a little later, once each however often they come. `look` returns the ids to
 * look at again. now() does not wait for the time.
 */
function createLater(ms: number, look: (messageIds: string[]) => Promise<string[]>, trouble: (error: unknown) => void) {
  const ids = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()

  function add(messageIds: Iterable<string>): void {
    for (const id of messageIds) ids.add(id)
    if (ids.size > 0) timer ??= setTimeout(() => void now(), ms).unref()
  }
  function now(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const all = [...ids]
    ids.clear()
    looking = looking.then(async () => {
      for (let i = 0; i < all.length; i += AT_ONCE) add(await look(all.slice(i, i + AT_ONCE)))
    })
    looking = looking.catch(trouble)
    return looking
  }
  return { add, now, stop: () => clearTimeout(timer) }
}

/** Writes events durably, many in one statement, and judges them together a moment later. */
export function createWriter(db: Db, pool: Pool, log: Pick<Log, 'error' | 'warn'>) {
  const run = createStatements(pool)
  const repeats = new Repeats()
  const trouble = (error: unknown) =>
    log.error({ err: error }, 'opens and clicks are stored, but could not be judged together')
  // Acceptance is written in batches too: whether a request came before it is known a little later.
  const early = createLater(EARLY_DELAY_MS, (ids) => judgeAgain(db, ids, 'before_acceptance'), trouble)
  const clicked = createLater(BURST_DELAY_MS, (ids) => judgeBursts(db, ids).then(() => []), trouble)

  const opens = createBatches<NewEvent, never>(async (events) => {
    const counted = await repeats.count(run, events)
    const rest = counted.size === 0 ? events : events.filter((_, n) => !counted.has(n))
    if (rest.length > 0) early.add(await insertOpens(run, rest))
    return new Map<number, never>()
  }, log)
  const clicks = createBatches<NewEvent, StoredClick>(async (events) => {
    const counted = await repeats.count(run, events)
    const places = counted.size === 0 ? undefined : [...events.keys()].filter((n) => !counted.has(n))
    const rest = places ? places.map((n) => events[n] as NewEvent) : events
    const written = rest.length > 0 ? await insertClicks(run, rest) : []
    const stored = places
      ? [...counted.values(), ...written.map((click) => ({ ...click, n: places[click.n] ?? click.n }))]
      : written
    const clickedMessageId = ({ n }: StoredClick) => events[n]?.messageId ?? ''
    early.add(stored.filter((click) => click.early).map(clickedMessageId))
    clicked.add(stored.filter(({ n }) => events[n]?.verdict.class === 'human').map(clickedMessageId))
    return new Map(stored.map((click) => [click.n, click]))
  }, log)

  const totals = createTotals(run, log)
  return {
    /** Requests of emails that carry no recipient. */
    totals,
    /** Resolves once an open or a view is durable. Rejects when the database is lost. */
    open: (event: NewEvent): Promise<unknown> => opens.add(event),
    /** Resolves once the click is durable, with its destination; undefined when there is no such message or link; 'refused' when too many wait. */
    click: (event: NewEvent) => clicks.add(event),
    /** Resolves when the clicks answered so far are judged for bursts: figures shown after it hold them. */
    judged: () => clicked.now(),
    /** Writes and judges what is waiting. */
    async close(): Promise<void> {
      await Promise.all([opens.idle(), clicks.idle(), totals.idle()])
      await Promise.all([clicked.now(), early.now()])
      clicked.stop()
      early.stop()
    },
  }
}

export type EventWriter = ReturnType<typeof createWriter>
