import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { CollectorResult } from '#contracts/collector.ts'
import type { Arrivals } from './live.ts'
import { type ResultPages, type ResultQuery, readResultsAnew, resultsKey } from './queries.ts'

/** How long a new row keeps its tint; the same as its animation. */
const FRESH_MS = 2_400

interface ArrivalOptions {
  jobId: string
  query: ResultQuery
  isNewestFirst: boolean
  /** Whether somebody reads or selects, so that nothing may move under him. */
  isBusy: () => boolean
}

/**
 * Findings as they come. They go on top of the list while nobody is busy with it; otherwise they wait and are counted, until
 * `show` is called or the reader is back at the top.
 */
export function useArrivals({ jobId, query, isNewestFirst, isBusy }: ArrivalOptions) {
  const queries = useQueryClient()
  const waiting = useRef<Arrivals>({ kept: [], count: 0 })
  const [count, setCount] = useState(0)
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const now = { jobId, query, isNewestFirst, isBusy }
  const latest = useRef(now)
  latest.current = now

  const show = useCallback(() => {
    const { kept, count } = waiting.current
    const { jobId, query, isNewestFirst } = latest.current
    if (count === 0) return
    waiting.current = { kept: [], count: 0 }
    setCount(0)
    if (!isNewestFirst || kept.length < count) return void readResultsAnew(queries, jobId, query)
    queries.setQueryData<ResultPages>(resultsKey(jobId, query), (old) => old && withOnTop(old, kept))
    const ids = kept.map((result) => result.id)
    setFresh((old) => new Set([...old, ...ids]))
    setTimeout(() => setFresh((old) => new Set([...old].filter((id) => !ids.includes(id)))), FRESH_MS)
  }, [queries])

  const take = useCallback(
    ({ kept, count }: Arrivals) => {
      const room = Math.max(0, 500 - waiting.current.kept.length)
      waiting.current = {
        kept: [...waiting.current.kept, ...kept.slice(0, room)],
        count: waiting.current.count + count,
      }
      if (latest.current.isBusy()) setCount(waiting.current.count)
      else show()
    },
    [show],
  )

  // What waited comes in by itself once the reader is back at the top.
  useEffect(() => {
    if (count === 0) return
    const look = setInterval(() => !latest.current.isBusy() && show(), 500)
    return () => clearInterval(look)
  }, [count, show])

  return { take, show, count, isFresh: (result: CollectorResult) => fresh.has(result.id) }
}

/** The newest on top; one that came by both ways stands there once. */
function withOnTop(old: ResultPages, arrived: CollectorResult[]): ResultPages {
  const [first, ...rest] = old.pages
  if (!first) return old
  const known = new Set(first.items.map((item) => item.id))
  const added = arrived.filter((item) => !known.has(item.id)).reverse()
  const total = first.total === undefined ? {} : { total: first.total + added.length }
  return { ...old, pages: [{ ...first, ...total, items: [...added, ...first.items] }, ...rest] }
}
