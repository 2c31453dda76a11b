import type { Db } from '#server/platform/db/database.ts'
import { CLASSIFIER, classifyMessage, type Reason } from './classify.ts'
import { insertClicks, type KeptClick, messageIdsAfter, type NewEvent, rejudge, tracesOf } from './events-store.ts'
import type { Run } from './statements.ts'

// A burst reaches back a minute; more clicks of one message than this in a minute are a machine's in any case.
const LOOK_BACK = 1_000

/**
 * Writes clicks and judges those that make others look different: a burst turns earlier clicks into machine traffic, and
 * it does so before anybody is answered. `trouble` hears of a failure to judge; reclassify() makes up for it.
 */
export async function keepClicks(db: Db, run: Run, clicks: NewEvent[], trouble: (error: unknown) => void): Promise<KeptClick[]> {
  const kept = await insertClicks(run, clicks)
  const links = new Map<string, Set<number | null>>()
  const suspicious = new Set<string>()
  for (const { n, others } of kept) {
    const click = clicks[n]
    if (click?.verdict.class !== 'human') continue
    const mine = (links.get(click.messageId) ?? new Set()).add(click.link)
    links.set(click.messageId, mine)
    if (others || mine.size > 1) suspicious.add(click.messageId)
  }
  // They are written: a failure from here on must not write them again.
  if (suspicious.size > 0) await judgeAgain(db, [...suspicious], 'burst').catch(trouble)
  return kept
}

/**
 * Looks at recent events of these messages together, for one reason. Only people's can become machines' here: the past is
 * not all in sight. Answers the messages that are being handed over and cannot be judged yet.
 */
export async function judgeAgain(db: Db, messageIds: string[], reason: Reason): Promise<string[]> {
  const traces = await tracesOf(db, messageIds, LOOK_BACK)
  const changed = traces.flatMap(({ events, ...message }) => {
    const verdicts = classifyMessage(events, message)
    return events.flatMap((event, i) => {
      const verdict = verdicts[i]
      return event.class === 'human' && verdict?.reason === reason ? [{ id: event.id, ...verdict }] : []
    })
  })
  await rejudge(db, changed)
  return traces.filter((trace) => trace.underWay).map((trace) => trace.messageId)
}

const PAGE = 500

/**
 * Works out the class of every open, click and view of a campaign again from its raw rows, message by message in flat
 * memory. Answers how many rows changed: none, unless the rules did.
 */
export async function reclassify(db: Db, workspaceId: string, campaignId: string): Promise<number> {
  let changes = 0
  for (let after: string | undefined = '0'; after; ) {
    const ids: string[] = await messageIdsAfter(db, workspaceId, campaignId, after, PAGE)
    after = ids.at(-1)
    const changed = (await tracesOf(db, ids)).flatMap(({ events, ...message }) => {
      const verdicts = classifyMessage(events, message)
      return events.flatMap((event, i) => {
        const verdict = verdicts[i]
        const same = !verdict || (verdict.class === event.class && verdict.reason === event.reason && event.classifier === CLASSIFIER)
        return same ? [] : [{ id: event.id, ...verdict }]
      })
    })
    await rejudge(db, changed)
    changes += changed.length
  }
  return changes
}
