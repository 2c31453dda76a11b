/** Events of the sample campaign, which nobody caused: written with their times, and judged by the rules for real ones. */
import type { Db } from '#server/platform/db/database.ts'
import { CLASSIFIER, classifyMessage } from './classify.ts'

/** One event of a recipient of the sample campaign. */
export interface SampleEvent {
  kind: 'open' | 'click' | 'unsubscribe'
  /** The number of the link, of a click. */
  link: number | null
  at: Date
  userAgent: string
}

/** Writes the events of messages of a campaign. `links`: how many links its email has. */
export async function addSampleEvents(
  db: Db,
  { workspaceId, campaignId, links }: { workspaceId: string; campaignId: string; links: number },
  messages: { id: string; sentAt: Date; events: SampleEvent[] }[],
): Promise<void> {
  const rows = messages.flatMap(({ id, sentAt, events }) => {
    const raw = events.map((event, n) => ({ ...event, id: String(n), at: event.at.getTime(), hints: {} }))
    const verdicts = classifyMessage(raw, { acceptedAt: sentAt.getTime(), links })
    return events.map((event, n) => {
      const judged = event.kind === 'unsubscribe' ? undefined : verdicts[n]
      const verdict = judged ?? { class: 'human', reason: 'page' }
      return { workspaceId, campaignId, messageId: id, ...event, ...verdict, classifier: CLASSIFIER }
    })
  })
  if (rows.length > 0) await db.insertInto('events').values(rows).execute()
}
