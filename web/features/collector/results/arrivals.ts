import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { CollectorResult } from '#contracts/collector/collector.ts'
import type { Arrivals } from '../live.ts'
import { type ResultPages, type ResultQuery, readResultsAnew, resultsKey } from '../queries.ts'

const MAX_WAITING = 2_000
/** How long a new row keeps its tint; the same as its animation. */
const FRESH_MS = 2_400

interface ArrivalOptions {
  jobId: string
  query: ResultQuery
  isNewestFirst: boolean
  /** Whether somebody reads or selects, so that nothing moves under the pointer. */
  isBusy: () => boolean
}

/**
 * Findings as they come. They go on top of the list while nobody is busy with it; otherwise they wait and are counted, until
 * `show` is called or the reader is back at the top.
 */
export function useArrivals({ jobId, query, isNewestFirst, isBusy }: ArrivalOptions) {
  const queries = useQueryClient()
  const waiting = useRef<Arrivals>({ stored: [], count: 0 })
  const [count, setCount] = useState(0)
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const now = { jobId, query, isNewestFirst, isBusy }
  const latest = useRef(now)
  latest.current = now

  const show = useCallback(() => {
    const { stored, count } = waiting.current
    const { jobId, query, isNewestFirst } = latest.current
    if (count === 0) return
    waiting.current = { stored: [], count: 0 }
    setCount(0)
    if (!isNewestFirst || stored.length < count) return void readResultsAnew(queries, jobId, query)
    queries.setQueryData<ResultPages>(resultsKey(jobId, query), (old) => old && withOnTop(old, stored))
    const ids = stored.map((result) => result.id)
    setFresh((old) => new Set([...old, ...ids]))
    setTimeout(() => setFresh((old) => new Set([...old].filter((id) => !ids.includes(id)))), FRESH_MS)
  }, [queries])

  const newest = useRef<number | null>(null)
  const take = useCallback(
    ({ stored, count }: Arrivals) => {
      const { jobId, query, isNewestFirst, isBusy } = latest.current
      const key = resultsKey(jobId, query)
      const old = queries.getQueryData<ResultPages>(key)
      // What comes before the list was read is in it.
      const beginning =
        old && isNewestFirst ? Math.max(0, ...(old.pages[0]?.items ?? []).map(({ id }) => Number(id))) : null
      const border = Math.max(newest.current ?? beginning ?? Number.POSITIVE_INFINITY, beginning ?? 0)
      const added = stored.filter(({ id }) => Number(id) > border)
      newest.current = Math.max(newest.current ?? 0, beginning ?? 0, ...stored.map(({ id }) => Number(id)))
      if (old) queries.setQueryData<ResultPages>(key, withChanges(old, stored))
      const unseen = count - stored.length
      if (added.length === 0 && unseen === 0) return
      const before = waiting.current
      const room = Math.max(0, MAX_WAITING - before.stored.length)
      waiting.current = {
        stored: [...before.stored, ...added.slice(0, room)],
        count: before.count + added.length + unseen,
      }
      if (isBusy() || !old) setCount(waiting.current.count)
      else show()
    },
    [show, queries],
  )

  // What waited comes in by itself once the reader is back at the top.
  useEffect(() => {
    if (count === 0) return
    const look = setInterval(() => !latest.current.isBusy() && show(), 500)
    return () => clearInterval(look)
  }, [count, show])

  return { take, show, count, isFresh: (result: CollectorResult) => fresh.has(result.id) }
}

/** Findings come again when something about them changed, such as what a name server said: rows that are shown follow. */
function withChanges(old: ResultPages, came: CollectorResult[]): ResultPages {
  const changed = new Map(came.map((result) => [result.id, result]))
  if (!old.pages.some((page) => page.items.some(({ id }) => changed.has(id)))) return old
  return {
    ...old,
    pages: old.pages.map((page) => ({ ...page, items: page.items.map((item) => changed.get(item.id) ?? item) })),
  }
}

/** The newest on top; one that came by both ways stands there once. */
function withOnTop(old: ResultPages, arrived: CollectorResult[]): ResultPages {
  const [first, ...rest] = old.pages
  if (!first) return old
  const known = new Set(first.items.map((item) => item.id))
  const added = arrived.filter((item) => !known.has(item.id)).sort((a, b) => Number(b.id) - Number(a.id))
  const total = first.total === undefined ? {} : { total: first.total + added.length }
  return { ...old, pages: [{ ...first, ...total, items: [...added, ...first.items] }, ...rest] }
}
