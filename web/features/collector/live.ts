import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { CollectorProgress, CollectorResult, type CrawlJob, collector } from '#contracts/collector/collector.ts'
import { api } from '#web/api.ts'
import { followEvents } from '#web/events.ts'
import { isMoving } from './queries.ts'

/** Findings that came or changed since. More are counted and not stored: who wants them asks the server. */
export interface Arrivals {
  stored: CollectorResult[]
  count: number
}

const MAX_CACHED = 2_000
/** How often findings that came are handed on, in milliseconds. */
const BEAT = 500

/**
 * A crawl job while it moves: its progress goes into its query, so that the whole page agrees; its findings are handed on
 * twice a second. Follows again after the connection broke.
 */
export function useLive(job: CrawlJob | undefined, onArrivals: (arrivals: Arrivals) => void) {
  const queries = useQueryClient()
  const [progress, setProgress] = useState<CollectorProgress | null>(null)
  const hand = useRef(onArrivals)
  hand.current = onArrivals
  const id = job?.id
  const moving = job !== undefined && isMoving(job.state)

  useEffect(() => {
    if (!id || !moving) return
    const ended = new AbortController()
    let arrived: Arrivals = { stored: [], count: 0 }
    const beat = setInterval(() => {
      if (arrived.count === 0) return
      hand.current(arrived)
      arrived = { stored: [], count: 0 }
    }, BEAT)
    let state = ''
    const take = (next: CollectorProgress) => {
      if (ended.signal.aborted) return
      state = next.state
      setProgress(next)
      const { pagesPerSecond: _, secondsLeft: __, ...counts } = next
      queries.setQueryData<CrawlJob>(['crawl-jobs', id], (old) => old && { ...old, ...counts })
      // At rest the page stops following; the times and the last counts are the server's to tell.
      if (!isMoving(next.state)) void queries.invalidateQueries({ queryKey: ['crawl-jobs', id], exact: true })
    }
    void followEvents({
      open: () => api(collector.live, { params: { id } }),
      onEvent: (name, data) => {
        if (name === 'progress') take(CollectorProgress.parse(JSON.parse(data)))
        if (name !== 'found') return
        arrived.count++
        if (arrived.stored.length < MAX_CACHED) arrived.stored.push(CollectorResult.parse(JSON.parse(data)))
      },
      ask: async () => {
        const next = await api(collector.get, { params: { id } })
        take({ ...next, pagesPerSecond: 0, secondsLeft: null })
      },
      isOver: () => state !== '' && !isMoving(state as CrawlJob['state']),
      signal: ended.signal,
    })
    return () => {
      clearInterval(beat)
      ended.abort()
      if (arrived.count > 0) hand.current(arrived)
    }
  }, [id, moving, queries])

  return moving ? progress : null
}
