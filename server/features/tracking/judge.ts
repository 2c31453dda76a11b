import type { Db } from '#server/platform/db/database.ts'
import { BURST_LINKS, CLASSIFIER, classifyMessage, type Reason } from './classify.ts'
import { listTraces, messageIdsAfter, messagesWithLinks, rejudge } from './events-store.ts'

// A burst reaches back a minute; more clicks of one message than this in a minute are a machine's in any case.
const LOOK_BACK = 1_000

/** Looks for bursts over links among messages that were clicked just now: they turn earlier clicks into machine traffic too. */
export async function judgeBursts(db: Db, messageIds: string[]): Promise<void> {
  const suspicious = await messagesWithLinks(db, messageIds, BURST_LINKS)
  if (suspicious.length > 0) await judgeAgain(db, suspicious, 'burst')
}

/**
 * Looks at recent events of these messages together, for one reason. Only people's can become machines' here: the past is
 * not all in sight. Returns the messages that are being handed over and cannot be judged yet.
 */
export async function judgeAgain(db: Db, messageIds: string[], reason: Reason): Promise<string[]> {
  const traces = await listTraces(db, messageIds, LOOK_BACK)
  const changed = traces.flatMap(({ events, ...message }) => {
    const verdicts = classifyMessage(events, message)
    return events.flatMap((event, i) => {
      const verdict = verdicts[i]
      return event.class === 'human' && verdict?.reason === reason
        ? [{ id: event.id, workspaceId: event.workspaceId, ...verdict }]
        : []
    })
  })
  await rejudge(db, changed)
  return traces.filter((trace) => trace.underWay).map((trace) => trace.messageId)
}

const PAGE = 500

/**
 * Works out the class of every open, click and view of a campaign again from its raw rows, message by message in flat
 * memory. Returns how many rows changed: none, unless the rules did.
 */
export async function reclassify(db: Db, workspaceId: string, campaignId: string): Promise<number> {
  let changes = 0
  for (let after: string | undefined = '0'; after; ) {
    const ids: string[] = await messageIdsAfter(db, workspaceId, campaignId, after, PAGE)
    after = ids.at(-1)
    const changed = (await listTraces(db, ids)).flatMap(({ events, ...message }) => {
      const verdicts = classifyMessage(events, message)
      return events.flatMap((event, i) => {
        const verdict = verdicts[i]
        const same =
          !verdict ||
          (verdict.class === event.class && verdict.reason === event.reason && event.classifier === CLASSIFIER)
        return same ? [] : [{ id: event.id, workspaceId: event.workspaceId, ...verdict }]
      })
    })
    await rejudge(db, changed)
    changes += changed.length
  }
  return changes
}
