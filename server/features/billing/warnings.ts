import type { Db } from '#server/platform/db/database.ts'
import type { Queue } from '#server/platform/queue.ts'
import { throttle } from '#server/platform/throttle.ts'
import { queueEmail } from './emails.ts'
import { countedNames, formatCount, type Total } from './labels.ts'
import type { CountedUse } from './usage-store.ts'

const MONTH_SECONDS = 31 * 24 * 3600
/** Shares of a limit at which people are told, in percent. */
const MARKS = [100, 80]

const isTotal = (what: CountedUse | Total): what is Total => what === 'contacts' || what === 'senders'

function totalEmailAt(mark: number, what: Total, used: number, limit: number) {
  const name = countedNames[what]
  if (mark < 100)
    return {
      subject: `You have used ${formatCount(used)} of ${formatCount(limit)} ${name}`,
      text: `Your plan includes ${formatCount(limit)} ${name}. You have ${formatCount(used)}, so ${formatCount(limit - used)} are left. To make room, remove some you no longer need or upgrade your plan.`,
    }
  return {
    subject: `You have used all ${formatCount(limit)} ${name} in your plan`,
    text: `You have reached the limit of ${formatCount(limit)} ${name} in your plan. Existing ${name} keep working. You can add new ones after you remove some or upgrade your plan. We never charge you for more automatically.`,
  }
}

function emailAt(mark: number, what: CountedUse | Total, used: number, limit: number) {
  if (isTotal(what)) return totalEmailAt(mark, what, used, limit)
  const name = countedNames[what]
  if (mark < 100)
    return {
      subject: `You have used ${formatCount(used)} of ${formatCount(limit)} ${name} this month`,
      text: `You have used ${formatCount(used)} of the ${formatCount(limit)} ${name} in your plan this month, including scheduled sends, and ${formatCount(limit - used)} are left. Your usage resets on the first of the month. If you need more before then, upgrade your plan.`,
    }
  return {
    subject: `You have used all ${formatCount(limit)} ${name} this month`,
    text: `You have used all ${formatCount(limit)} ${name} in your plan this month, including scheduled sends. Anything already running will finish. You can start more on the first of the month, or after you upgrade your plan. We never charge you for more automatically.`,
  }
}

/** Tells the workspace when 80 and 100 % of a limit are passed, each once a month. */
export async function warnWhenCrossed(
  context: { queue: Pick<Queue, 'enqueue'> },
  db: Db,
  workspaceId: string,
  what: CountedUse | Total,
  before: number,
  used: number,
  limit: number,
): Promise<void> {
  const mark = MARKS.find((share) => before * 100 < limit * share && used * 100 >= limit * share)
  if (mark === undefined || limit === 0) return
  const month = new Date().toISOString().slice(0, 7)
  const first = await throttle(db, `limit:${what}:${mark}:${month}:${workspaceId}`, 1, MONTH_SECONDS)
  if (first.ok) await queueEmail(context, db, workspaceId, emailAt(mark, what, used, limit))
}
