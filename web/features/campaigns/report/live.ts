import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Campaign, Live } from '#contracts/campaigns/campaign.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { api } from '#web/api.ts'
import { followEvents } from '#web/events.ts'
import { reload } from '#web/query.ts'
import { channels } from '../channels/index.ts'

export interface LogLine {
  at: Date
  text: string
}

/** Nothing moves any more by itself. */
const AT_REST = ['sent', 'cancelled', 'failed', 'draft']

/**
 * A campaign's counts while it moves: by server-sent events, and by asking every two seconds where those do not come through.
 * Each result goes into the campaign's query too, so that the whole page agrees.
 */
export function useLive(campaign: Campaign | undefined) {
  const queries = useQueryClient()
  const [live, setLive] = useState<Live | null>(null)
  const [log, setLog] = useState<LogLine[]>([])
  const last = useRef<Live | null>(null)
  const id = campaign?.id
  const moving = campaign?.state === 'sending' || campaign?.state === 'scheduled' || campaign?.state === 'paused'

  useEffect(() => {
    if (!id || !moving) return
    const ended = new AbortController()
    const take = (next: Live) => {
      if (ended.signal.aborted) return
      const line = lineFor(last.current, next)
      if (line) setLog((old) => [...old.slice(-199), { at: new Date(), text: line }])
      last.current = next
      setLive(next)
      queries.setQueryData<Campaign>(['campaigns', id], (old) => old && withLive(old, next))
      // Here and not when following ends: with this state the page stops following before it could.
      if (AT_REST.includes(next.state))
        for (const name of ['campaigns', 'campaign-stats', 'campaign-messages']) void reload(queries, [name, id])
    }
    void follow(id, take, ended.signal)
    return () => ended.abort()
  }, [id, moving, queries])

  return { live: moving ? live : null, log }
}

/** The campaign as the newest event has it. */
function withLive(campaign: Campaign, live: Live): Campaign {
  const { state, stateText, counts } = live
  const newest = { ...campaign, state, stateText, counts }
  return channels[campaign.channel].withLive?.(newest, live) ?? newest
}

async function follow(id: string, take: (live: Live) => void, signal: AbortSignal): Promise<void> {
  let state = ''
  const note = (next: Live) => {
    state = next.state
    take(next)
  }
  await followEvents({
    open: () => api(campaigns.live, { params: { id } }),
    onEvent: (name, data) => {
      if (name === 'counts') note(campaigns.live.response.parse(JSON.parse(data)))
    },
    ask: async () => {
      const next = await api(campaigns.get, { params: { id } })
      const { state, stateText, counts, forecast } = next
      note({ state, stateText, counts, forecast, perSecond: 0, secondsLeft: null, steps: [] })
    },
    isOver: () => AT_REST.includes(state),
    signal,
  })
}

const stateWords: Partial<Record<Live['state'], string>> = {
  sending: 'Sending',
  paused: 'Paused',
  sent: 'All messages were handed over',
  cancelled: 'Canceled',
  failed: 'Failed',
  scheduled: 'Scheduled',
}

/** A line of the log when something worth a line happened: another state, another five percent, a new failure. */
function lineFor(before: Live | null, now: Live): string | null {
  if (!before || before.state !== now.state)
    return `${stateWords[now.state] ?? now.state}${now.stateText ? `: ${now.stateText}` : ''}`
  const failures = now.counts.failed + now.counts.bounced - before.counts.failed - before.counts.bounced
  if (failures > 0) return `${failures} rejected, ${now.counts.failed + now.counts.bounced} in total`
  const step = Math.max(1, now.counts.recipients / 20)
  if (Math.floor(now.counts.sent / step) > Math.floor(before.counts.sent / step))
    return `${now.counts.sent.toLocaleString('en-US')} sent, ${Math.round(now.perSecond).toLocaleString('en-US')} a second`
  return null
}
