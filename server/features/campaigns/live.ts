import type { FastifyReply } from 'fastify'
import type { Live } from '#contracts/campaigns/campaign.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type EventStream, serveEvents } from '#server/platform/live/live.ts'
import type { Services } from '#server/services.ts'
import { campaignById, toCounts } from './campaign-rows.ts'
import { requireChannel } from './channels/index.ts'
import { listStepCounts } from './follow-ups-store.ts'

const WINDOW_MS = 10_000
const FORECAST_MS = 10_000

const atRest = new Set(['sent', 'cancelled', 'failed', 'draft'])

type StreamServices = Pick<Services, 'db' | 'log' | 'intervals'>

/** Reads one campaign again and again for all who watch it, until nobody does or it rests for good. */
class CampaignPoll {
  private readonly readers = new Set<EventStream>()
  private readonly samples: { at: number; done: number }[] = []
  private last: { text: string; value: Live } | undefined
  private forecast: { at: number; value: Live['forecast'] } | undefined
  private timer: NodeJS.Timeout | undefined
  private readonly read: () => Promise<Live | undefined>
  private readonly onEnd: () => void

  constructor(services: StreamServices, workspaceId: string, campaignId: string, onEnd: () => void) {
    this.read = () => this.look(services.db, workspaceId, campaignId)
    this.onEnd = onEnd
    this.poll(services)
  }

  /** Returns how to leave. */
  join(reader: EventStream): () => void {
    this.readers.add(reader)
    if (this.last) reader.send('counts', this.last.value)
    return () => {
      this.readers.delete(reader)
      if (this.readers.size === 0) this.end()
    }
  }

  private end(): void {
    clearTimeout(this.timer)
    this.onEnd()
    for (const reader of [...this.readers]) reader.end()
  }

  private poll(services: StreamServices): void {
    this.read()
      .then((value) => {
        if (!value) return this.end()
        const text = JSON.stringify(value)
        if (text !== this.last?.text) for (const reader of this.readers) reader.send('counts', value)
        this.last = { text, value }
        if (atRest.has(value.state)) return this.end()
        if (this.readers.size > 0)
          this.timer = setTimeout(() => this.poll(services), services.intervals.campaignStreamMs)
      })
      .catch((error) => {
        services.log.error({ err: error }, 'live counts could not be read')
        this.end()
      })
  }

  private async look(db: Db, workspaceId: string, campaignId: string): Promise<Live | undefined> {
    const row = await campaignById(db, workspaceId, campaignId)
    if (!row) return undefined
    const counts = toCounts(row)
    const { samples } = this
    samples.push({ at: performance.now(), done: counts.recipients - counts.queued - counts.deferred })
    while (samples.length > 2 && (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0) > WINDOW_MS) samples.shift()
    const [first, newest] = [samples[0], samples.at(-1)]
    const seconds = first && newest ? (newest.at - first.at) / 1000 : 0
    const perSecond = first && newest && seconds > 0 ? Math.max(0, (newest.done - first.done) / seconds) : 0
    if (!this.forecast || row.state !== 'sending' || performance.now() - this.forecast.at > FORECAST_MS)
      this.forecast = {
        at: performance.now(),
        value: (await requireChannel(row.channel).forecast?.(db, row)) ?? null,
      }
    return {
      state: row.state as Live['state'],
      stateText: row.stateText,
      counts,
      perSecond: Math.round(perSecond * 10) / 10,
      secondsLeft: row.state === 'sending' && perSecond > 0 ? Math.ceil(counts.queued / perSecond) : null,
      steps: row.followUps === 0 ? [] : await listStepCounts(db, workspaceId, campaignId),
      forecast: this.forecast.value,
    }
  }
}

/**
 * Counts of campaigns as events while they send. They are read from the database, which every process shares, once for all
 * readers of a campaign; an event goes out when something changed. A stream ends when its campaign rests for good.
 */
export function campaignStreams(services: StreamServices) {
  const polls = new Map<string, CampaignPoll>()
  return (reply: FastifyReply, workspaceId: string, campaignId: string): void => {
    serveEvents(reply, (stream) => {
      let poll = polls.get(campaignId)
      if (!poll) {
        const made: CampaignPoll = new CampaignPoll(services, workspaceId, campaignId, () => {
          if (polls.get(campaignId) === made) polls.delete(campaignId)
        })
        poll = made
        polls.set(campaignId, made)
      }
      return poll.join(stream)
    })
  }
}
