import type { Db } from '#server/platform/db/database.ts'
import type { Queue } from '#server/platform/queue.ts'
import { throttle } from '#server/platform/throttle.ts'
import { queueLetter } from './letters.ts'
import type { Counted } from './usage-store.ts'

const MONTH_SECONDS = 31 * 24 * 3600
/** Shares of a limit at which people are told, in per cent. */
const MARKS = [100, 80]

/** What is kept, and has no month. */
type Kept = 'contacts' | 'senders'
const names: Record<Counted | Kept, string> = {
  emails: 'e-mails',
  whatsappMessages: 'WhatsApp messages',
  pages: 'web pages',
  contacts: 'contacts',
  senders: 'senders',
}
const say = (count: number) => count.toLocaleString('en-US')

const isKept = (what: Counted | Kept): what is Kept => what === 'contacts' || what === 'senders'

function keptLetterAt(mark: number, what: Kept, used: number, limit: number) {
  const name = names[what]
  if (mark < 100)
    return {
      subject: `${say(used)} of ${say(limit)} ${name} are used`,
      text: `Your plan has room for ${say(limit)} ${name}; ${say(used)} are there, and ${say(limit - used)} more fit in. Nothing stops yet. Remove some you no longer need, or choose a larger plan.`,
    }
  return {
    subject: `All ${say(limit)} ${name} of your plan are used`,
    text: `Your plan has room for ${say(limit)} ${name}, and that many are there. All are kept and work as before; new ones are refused until you remove some or choose a larger plan. Nothing is charged by itself.`,
  }
}

function letterAt(mark: number, what: Counted | Kept, used: number, limit: number) {
  if (isKept(what)) return keptLetterAt(mark, what, used, limit)
  const name = names[what]
  if (mark < 100)
    return {
      subject: `${say(used)} of ${say(limit)} ${name} of this month are used`,
      text: `${say(used)} of the ${say(limit)} ${name} your plan has for this month are used or reserved, and ${say(limit - used)} are left. Nothing stops yet. A larger plan has more at once; otherwise the count begins anew on the first of the month.`,
    }
  return {
    subject: `All ${say(limit)} ${name} of this month are used`,
    text: `All ${say(limit)} ${name} your plan has for this month are used or reserved. What was started goes on to its end; nothing new is started until the first of the month, or until you choose a larger plan. Nothing is charged by itself.`,
  }
}

/** Tells the workspace when 80 and 100 % of a limit are passed, each once a month. */
export async function warnWhenCrossed(
  context: { queue: Pick<Queue, 'enqueue'> },
  db: Db,
  workspaceId: string,
  what: Counted | Kept,
  before: number,
  used: number,
  limit: number,
): Promise<void> {
  const mark = MARKS.find((share) => before * 100 < limit * share && used * 100 >= limit * share)
  if (mark === undefined || limit === 0) return
  const month = new Date().toISOString().slice(0, 7)
  const first = await throttle(db, `limit:${what}:${mark}:${month}:${workspaceId}`, 1, MONTH_SECONDS)
  if (first.ok) await queueLetter(context, db, workspaceId, letterAt(mark, what, used, limit))
}
