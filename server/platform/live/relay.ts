import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { Live } from './live.ts'

const CHANNEL = 'postlark_live'
/** What processes tell one another: that recipients of a campaign are being written, that it is to be sent, or no longer. */
const TOPICS = ['launching', 'sending']

/**
 * Tells the other processes on the database of events in this one, and has this one hear of theirs, where it `hears`. They come soon and not
 * surely: what they are about is looked for besides. Returns how to stop it.
 */
export async function relayLive(
  { db, direct, alone }: Pick<Database, 'db' | 'direct' | 'alone'>,
  live: Live,
  log: Pick<Log, 'warn'>,
  hears: boolean,
): Promise<() => void> {
  if (alone) return () => undefined
  const process = randomUUID()
  let isHearing = false
  const tell = (topic: string) =>
    live.subscribe(topic, (value) => {
      if (isHearing) return
      void sql`select pg_notify(${CHANNEL}, ${`${process} ${topic} ${value}`})`
        .execute(db)
        .catch((error) => log.warn({ err: error, topic }, 'other processes are not told of an event; they look for it'))
    })
  const ends = TOPICS.map(tell)
  if (hears)
    ends.push(
      await direct.listening.listen(CHANNEL, {
        onNotification(payload) {
          const [teller, topic = '', value] = payload.split(' ')
          if (teller === process || !TOPICS.includes(topic)) return
          isHearing = true
          try {
            live.publish(topic, value)
          } finally {
            isHearing = false
          }
        },
        onError: (error) => log.warn({ err: error }, 'this process is not told of events in others; it looks for them'),
      }),
    )
  return () => {
    for (const end of ends) end()
  }
}
