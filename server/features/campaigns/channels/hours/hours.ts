import { sql } from 'kysely'
import type { SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { isTimeZone } from '#contracts/time-zone.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import { windowAt } from './window.ts'

/** With less time left the window is as good as over: a message begun now must be out before it closes. */
const CLOSING_MS = 5_000
const MAX_WAIT_MS = 60_000
/** No timer takes more. */
const MAX_TIMER_MS = 2 ** 31 - 1
const WAITING = 'Waiting for its sending hours'

/** When a campaign may send, and whether a day's messages are spread over that time. */
export interface Hours {
  window: SendingWindow | null
  spread: boolean
}

/** Throws Refusal 400 where the hours name a time zone that nobody knows. */
export function checkWindow(window: SendingWindow | null | undefined): void {
  if (window && !isTimeZone(window.timeZone))
    throw invalid('window.timeZone', 'is not a time zone such as Europe/Berlin')
}

/** The hours of campaigns, by id. */
export async function readHours(db: Db, workspaceId: string, ids: string[]): Promise<Map<string, Hours>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('campaigns')
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .select(['id', 'sendingWindow', 'spread'])
    .execute()
  return new Map(
    rows.map(({ id, sendingWindow, spread }) => [id, { window: sendingWindow as SendingWindow | null, spread }]),
  )
}

/** The hours of one campaign; at any time where it is gone. */
export async function findHours(db: Db, { workspaceId, id }: { workspaceId: string; id: string }): Promise<Hours> {
  return (await readHours(db, workspaceId, [id])).get(id) ?? { window: null, spread: false }
}

/** How long hours are closed at a moment, in milliseconds; undefined: messages may leave for the milliseconds `left`. */
export function untilOpen(window: SendingWindow | null, now: number): { closedFor: number } | { left: number } {
  const { opensIn, closesIn } = windowAt(window, now)
  if (opensIn > 0) return { closedFor: opensIn }
  if (closesIn < CLOSING_MS) return { closedFor: closesIn + windowAt(window, now + closesIn).opensIn }
  return { left: closesIn - CLOSING_MS / 2 }
}

/** How long to wait for hours that are closed; undefined: they are open, and `until` aborts before they close. */
export function enterHours(
  window: SendingWindow | null,
  signal: AbortSignal,
): { again: number; opensAt: number } | { until: AbortSignal } {
  const now = Date.now()
  const hours = untilOpen(window, now)
  if ('closedFor' in hours) return { again: Math.min(hours.closedFor, MAX_WAIT_MS), opensAt: now + hours.closedFor }
  if (hours.left === Number.POSITIVE_INFINITY) return { until: signal }
  return { until: AbortSignal.any([signal, AbortSignal.timeout(Math.min(hours.left, MAX_TIMER_MS))]) }
}

/** Why a campaign waits, by the clocks of its time zone. */
export function waitingText({ timeZone, zoneField }: SendingWindow, opensAt: number): string {
  const when = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format(opensAt)
  const whose = zoneField ? ' in the time zones of its recipients' : ''
  return `${WAITING}${whose}: it continues automatically on ${when} (${timeZone}).`
}

/** Says that a campaign waits for its hours, unless it waits for something else too; empty: it does not wait for them. */
export async function sayWaiting(db: Db, campaignId: string, text: string): Promise<void> {
  await sql`update campaigns set state_text = ${text}
    where id = ${campaignId} and state = 'sending' and state_text <> ${text}
      and (${text !== ''} and state_text = '' or starts_with(state_text, ${WAITING}))`.execute(db)
}
