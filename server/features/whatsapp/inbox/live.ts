import type { FastifyReply } from 'fastify'
import { serveEvents } from '#server/platform/live.ts'
import type { Services } from '#server/services.ts'
import { presentConversation } from './present.ts'
import { changedSince, readNow } from './store.ts'

/** A change is remembered as told for so many milliseconds: far longer than the look back takes. */
const REMEMBERED_MS = 60_000

/**
 * Conversations as events, each time one changes. The database is asked again and again, because webhooks may be worked on in
 * another process; at once when it was this one.
 */
export function streamConversations(
  reply: FastifyReply,
  { db, live, log, intervals }: Services,
  workspaceId: string,
): void {
  serveEvents(reply, ({ send, end }) => {
    let since: string | undefined
    const told = new Map<string, { place: string; at: number }>()
    let timer: NodeJS.Timeout | undefined
    let isLooking = false
    let isDone = false
    const look = async () => {
      since ??= await readNow(db)
      const now = performance.now()
      for (const [id, { at }] of told) if (at < now - REMEMBERED_MS) told.delete(id)
      const places = new Map([...told].map(([id, { place }]) => [id, place]))
      for (const row of await changedSince(db, workspaceId, since, places)) {
        since = row.newest
        told.set(row.id, { place: row.place, at: now })
        send('conversation', presentConversation(row))
      }
    }
    const again = () => {
      clearTimeout(timer)
      if (isLooking || isDone) return
      isLooking = true
      look()
        .catch((error) => {
          log.error({ err: error }, 'live conversations could not be read')
          end()
        })
        .finally(() => {
          isLooking = false
          if (!isDone) timer = setTimeout(again, intervals.inboxStreamMs)
        })
    }
    const unsubscribe = live.subscribe(`whatsapp:${workspaceId}`, again)
    again()
    return () => {
      isDone = true
      clearTimeout(timer)
      unsubscribe()
    }
  })
}
