import { planLimits } from '#contracts/billing/plans.ts'
import type { Db } from '#server/platform/db/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Queue } from '#server/platform/queue.ts'
import { countedNames, formatCount } from './labels.ts'
import * as store from './usage-store.ts'
import { type CountedUse, findPlanName } from './usage-store.ts'
import { warnWhenCrossed } from './warnings.ts'

export interface LimitServices {
  queue: Pick<Queue, 'enqueue'>
}

/** The first moment of the next month (UTC), when monthly counts begin anew. */
export function monthEnds(now = new Date()): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
}

const formatUtcDay = (at: Date) =>
  at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** 402: what, how much of it, until when. The details say the same to programs. */
export function usedUp(what: CountedUse, wanted: number, used: number, limit: number): Refusal {
  const until = monthEnds()
  const left = Math.max(0, limit - used)
  const need =
    wanted > 1
      ? `This needs ${formatCount(wanted)} ${countedNames[what]}, and ${left === 0 ? 'none' : formatCount(left)}`
      : 'None'
  return new Refusal(
    402,
    'quota_used_up',
    `${need} of your ${formatCount(limit)} ${countedNames[what]} for this month ${left === 1 ? 'is' : 'are'} left, until ${formatUtcDay(until)}. Nothing was started. Choose a larger plan, or try a smaller number.`,
    { details: facts({ what, limit, used, left, wanted, until: until.toISOString() }) },
  )
}

const facts = (all: Record<string, string | number>) =>
  Object.entries(all).map(([field, value]) => ({ field, message: String(value) }))

/** 402: no room for another contact or sender; unlike monthly limits, this one does not reset. */
function full(what: 'contacts' | 'senders' | 'domains', limit: number, used: number): Refusal {
  const [verb, advice] =
    what === 'contacts'
      ? ['includes', 'Remove some or choose a larger plan.']
      : ['includes', 'Remove one or choose a larger plan.']
  return new Refusal(
    402,
    'quota_used_up',
    `Your plan ${verb} ${formatCount(limit)} ${countedNames[what]}, and all of them are used. ${advice}`,
    { details: facts({ what, limit, used, left: 0 }) },
  )
}

/** Throws Refusal 402 where nothing is left of a month's limit, for work that uses it as it goes. */
export async function requireSome(db: Db, workspaceId: string, what: CountedUse): Promise<void> {
  const limit = planLimits(await findPlanName(db, workspaceId))[what]
  const used = await store.countUsed(db, workspaceId, what)
  if (used >= limit) throw usedUp(what, 1, used, limit)
}

/** What of a month's limit is left, the limit itself, and the day when it begins anew, in words. */
export async function remainingQuota(db: Db, workspaceId: string, what: CountedUse) {
  const limit = planLimits(await findPlanName(db, workspaceId))[what]
  return {
    what: countedNames[what],
    limit,
    left: Math.max(0, limit - (await store.countUsed(db, workspaceId, what))),
    until: formatUtcDay(monthEnds()),
  }
}

/**
 * How many more contacts the workspace may keep, null without a limit. Call it in the transaction that adds them: others
 * who add wait until it ends, so that the limit is exact.
 */
export async function roomForContacts(db: Db, workspaceId: string): Promise<number | null> {
  const limit = planLimits(await findPlanName(db, workspaceId)).contacts
  if (limit === null) return null
  await store.lockWorkspace(db, workspaceId)
  return limit - (await store.countUpTo(db, 'contacts', workspaceId, limit))
}

/** Tells people when the contacts just added passed 80 or 100 % of what the plan keeps. */
export async function noteContacts(context: LimitServices, db: Db, workspaceId: string, added: number): Promise<void> {
  const limit = planLimits(await findPlanName(db, workspaceId)).contacts
  if (limit === null || added === 0) return
  const used = await store.countUpTo(db, 'contacts', workspaceId, limit)
  await warnWhenCrossed(context, db, workspaceId, 'contacts', used - added, used, limit)
}

/** Throws Refusal 402 unless one more contact may be stored; in the transaction that adds it. */
export async function requireRoomForContact(context: LimitServices, db: Db, workspaceId: string): Promise<void> {
  const room = await roomForContacts(db, workspaceId)
  if (room === null) return
  const limit = planLimits(await findPlanName(db, workspaceId)).contacts ?? 0
  if (room > 0) return warnWhenCrossed(context, db, workspaceId, 'contacts', limit - room, limit - room + 1, limit)
  throw full('contacts', limit, limit - room)
}

/** Throws Refusal 402 unless one more sender may be stored; in the transaction that adds it. */
export async function requireRoomForSender(context: LimitServices, db: Db, workspaceId: string): Promise<void> {
  const limit = planLimits(await findPlanName(db, workspaceId)).senders
  await store.lockWorkspace(db, workspaceId)
  const used = await store.countUpTo(db, 'senders', workspaceId, limit)
  if (used >= limit) throw full('senders', limit, used)
  await warnWhenCrossed(context, db, workspaceId, 'senders', used, used + 1, limit)
}

/** Throws Refusal 402 unless one more sending domain may be stored; in the transaction that adds it. */
export async function requireRoomForDomain(db: Db, workspaceId: string): Promise<void> {
  const limit = planLimits(await findPlanName(db, workspaceId)).domains
  await store.lockWorkspace(db, workspaceId)
  const used = await store.countUpTo(db, 'sending_domains', workspaceId, limit)
  if (used >= limit) throw full('domains', limit, used)
}
