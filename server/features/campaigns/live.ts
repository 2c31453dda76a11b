import type { FastifyReply } from 'fastify'
import type { Live } from '#contracts/campaigns.ts'
import type { Db } from '#server/platform/db/database.ts'
import { serveEvents } from '#server/platform/live.ts'
import type { Log } from '#server/platform/log.ts'
import { stepsOf } from './follow-ups-store.ts'
import { forecastOf } from './forecast.ts'
import { campaignById, countsOf } from './store.ts'

const LOOK_MS = 500
const WINDOW_MS = 10_000
const FORECAST_MS = 10_000

const atRest = new Set(['sent', 'cancelled', 'failed', 'draft'])

/**
 * Counts of a campaign as events while it sends. They are read from the database, which every process shares, and cost
 * one row; an event goes out when something changed. The stream ends when the campaign rests for good.
 */
export function streamCounts(
  reply: FastifyReply,
  db: Db,
  log: Pick<Log, 'error'>,
  workspaceId: string,
  campaignId: string,
): void {
  serveEvents(reply, (send, end) => {
    const samples: { at: number; done: number }[] = []
    let last = ''
    let forecast: { at: number; value: Live['forecast'] } | undefined
    let timer: NodeJS.Timeout
    const look = async () => {
      const row = await campaignById(db, workspaceId, campaignId)
      if (!row) return end()
      const counts = countsOf(row)
      const waiting = counts.queued + counts.deferred
      samples.push({ at: performance.now(), done: counts.recipients - waiting })
      while (samples.length > 2 && (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0) > WINDOW_MS) samples.shift()
      const [first, newest] = [samples[0], samples.at(-1)]
      const seconds = first && newest ? (newest.at - first.at) / 1000 : 0
      const perSecond = first && newest && seconds > 0 ? Math.max(0, (newest.done - first.done) / seconds) : 0
      if (!forecast || row.state !== 'sending' || performance.now() - forecast.at > FORECAST_MS)
        forecast = { at: performance.now(), value: await forecastOf(db, row) }
      const value: Live = {
        state: row.state as Live['state'],
        stateText: row.stateText,
        counts,
        perSecond: Math.round(perSecond * 10) / 10,
        secondsLeft: row.state === 'sending' && perSecond > 0 ? Math.ceil(counts.queued / perSecond) : null,
        steps: row.followUps === 0 ? [] : await stepsOf(db, workspaceId, campaignId),
        forecast: forecast.value,
      }
      const text = JSON.stringify(value)
      if (text !== last) send('counts', value)
      last = text
      if (atRest.has(row.state)) return end()
      timer = setTimeout(again, LOOK_MS)
    }
    const again = () => {
      look().catch((error) => {
        log.error({ err: error }, 'live counts could not be read')
        end()
      })
    }
    again()
    return () => clearTimeout(timer)
  })
}
