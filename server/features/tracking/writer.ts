import type { Pool } from 'pg'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { createBatches } from './batches.ts'
import { insertOpens, type KeptClick, type NewEvent } from './events-store.ts'
import { judgeAgain, keepClicks } from './judge.ts'
import { createStatements } from './statements.ts'

const EARLY_LOOK_MS = 2_000
const EARLY_AT_ONCE = 2_000

/** Writes events durably, many in one statement, and judges later what cannot be judged yet. */
export function createWriter(db: Db, pool: Pool, log: Pick<Log, 'error' | 'warn'>) {
  const run = createStatements(pool)
  const early = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const trouble = (error: unknown) => log.error({ err: error }, 'opens and clicks are kept, but could not be judged together')

  /** Acceptance is written in batches too: whether a request came before it is known a little later. */
  function lookLater(messageIds: Iterable<string>): void {
    for (const id of messageIds) early.add(id)
    if (early.size === 0) return
    timer ??= setTimeout(() => void settleEarly().catch(trouble), EARLY_LOOK_MS).unref()
  }

  async function settleEarly(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const ids = [...early].slice(0, EARLY_AT_ONCE)
    for (const id of ids) early.delete(id)
    lookLater(ids.length > 0 ? await judgeAgain(db, ids, 'before_acceptance') : [])
  }

  const opens = createBatches<NewEvent, never>(async (events) => {
    lookLater(await insertOpens(run, events))
    return new Map<number, never>()
  }, log)
  const clicks = createBatches<NewEvent, KeptClick>(async (events) => {
    const kept = await keepClicks(db, run, events, trouble)
    lookLater(kept.filter((click) => click.early).map((click) => events[click.n]?.messageId ?? ''))
    return new Map(kept.map((click) => [click.n, click]))
  }, log)

  return {
    /** Resolves once an open or a view is durable. Rejects when the database is lost. */
    open: (event: NewEvent): Promise<unknown> => opens.add(event),
    /** Resolves once the click is durable, with its destination; undefined when there is no such message or link; 'refused' when too many wait. */
    click: (event: NewEvent) => clicks.add(event),
    /** Writes what is waiting. */
    async close(): Promise<void> {
      await Promise.all([opens.idle(), clicks.idle()])
      await settleEarly()
      clearTimeout(timer)
    },
  }
}

export type EventWriter = ReturnType<typeof createWriter>
