import type { FastifyReply } from 'fastify'
import { serveEvents } from '#server/platform/live/live.ts'
import type { Services } from '#server/services.ts'
import { presentConversation } from './present.ts'
import { CHANGES_AT_ONCE, type ChangedConversation, changedSince, LOOK_BACK_SECONDS, readNow } from './store.ts'

/**
 * Conversations as events, each time one changes. The database is asked again and again, because webhooks may be worked on in
 * another process; at once when it was this one.
 */
export function streamConversations(
  reply: FastifyReply,
  { db, live, log, intervals }: Services,
  workspaceId: string,
): void {
  serveEvents(reply, ({ send, drained, end }) => {
    let since: string | undefined
    /** What lies in the time that is looked back, so that it is told once. */
    const told = new Map<string, Pick<ChangedConversation, 'place' | 'seconds'>>()
    let timer: NodeJS.Timeout | undefined
    let isLooking = false
    let isDone = false
    const tell = (rows: ChangedConversation[]) => {
      for (const { id, place, seconds } of rows) told.set(id, { place, seconds })
      const newest = Math.max(...[...told.values()].map(({ seconds }) => seconds))
      for (const [id, { seconds }] of told) if (seconds < newest - LOOK_BACK_SECONDS - 1) told.delete(id)
      for (const row of rows) send('conversation', presentConversation(row))
    }
    const look = async () => {
      since ??= await readNow(db)
      for (;;) {
        const rows = await changedSince(db, workspaceId, since, told)
        since = rows.at(-1)?.newest ?? since
        tell(rows)
        if (rows.length < CHANGES_AT_ONCE || isDone) return
        await drained()
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
