import type { z } from 'zod'
import type { AdminUser, AdminUserDetail, AuditAction, admin } from '#contracts/admin/admin.ts'
import {
  confirmAddress,
  deleteSessions,
  describeDevice,
  listSessions,
  requireOtherAdmin,
  resendVerification,
  updateUser,
} from '#server/features/accounts/index.ts'
import { planSource, setPlanByHand } from '#server/features/billing/index.ts'
import { pauseForSuspension } from '#server/features/campaigns/index.ts'
import { pauseCollecting } from '#server/features/collector/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { takePage } from '#server/platform/http/page.ts'
import { conflict, notFound } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import * as store from './store.ts'

type UserChange = z.output<typeof admin.changeUser.body>

function present(row: store.UserRow): AdminUser {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role as AdminUser['role'],
    plan: row.plan,
    authProvider: row.authProvider as AdminUser['authProvider'],
    verified: row.emailVerifiedAt !== null,
    suspendedAt: row.suspendedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
  }
}

/** One page of users, newest first, with how many the filter leaves in all. */
export async function listUsers(db: Db, query: z.output<typeof admin.users.query>) {
  const { limit, cursor, ...filter } = query
  const given = { ...filter, q: filter.q?.trim() }
  const rows = await store.userPage(db, given, { limit: limit + 1, before: cursor })
  const { items: shown, nextCursor } = takePage(rows, limit)
  const items = shown.map(present)
  return { items, nextCursor, total: await store.countUsers(db, given) }
}

/** One user with the figures of their workspace and their sessions. Throws Refusal 404. */
export async function showUser(db: Db, id: string): Promise<AdminUserDetail> {
  const row = await store.userById(db, id)
  if (!row) throw notFound('User')
  const sessions = await listSessions(db, id)
  return {
    ...present(row),
    workspace: { id: row.workspaceId, name: row.workspaceName, company: row.company },
    counts: await store.countWorkspace(db, row.workspaceId),
    ...(await planSource(db, row.workspaceId)),
    sessions: sessions.map((session) => ({
      createdAt: session.createdAt.toISOString(),
      lastSeenAt: session.lastSeenAt.toISOString(),
      device: describeDevice(session.userAgent),
      userAgent: session.userAgent,
    })),
  }
}

/** What takes an admin's rights away, from any user. */
const takesAway = (given: UserChange) => given.role === 'user' || given.suspended === true || given.verified === false

interface Step {
  action: AuditAction
  change: Parameters<typeof updateUser>[2]
  details?: Record<string, string>
}

/** What of the wish is not so yet. */
function stepsTo(given: UserChange, user: AdminUser): Step[] {
  const { role, plan, planUntil, suspended, verified } = given
  const steps: Step[] = []
  if (role !== undefined && role !== user.role)
    steps.push({ action: 'role_changed', change: { role }, details: { from: user.role, to: role } })
  if ((plan !== undefined && plan !== user.plan) || planUntil !== undefined)
    steps.push({ action: 'plan_changed', change: {} })
  if (suspended !== undefined && suspended !== (user.suspendedAt !== null))
    steps.push({
      action: suspended ? 'suspended' : 'unsuspended',
      change: { suspendedAt: suspended ? new Date() : null },
    })
  if (verified !== undefined && verified !== user.verified)
    steps.push({
      action: verified ? 'marked_verified' : 'marked_unverified',
      change: verified ? {} : { emailVerifiedAt: null },
    })
  return steps
}

/**
 * Changes role, plan, suspension or verification, all or nothing, a line in the audit log for each. Who is suspended is
 * signed out at once and nothing more is sent for them. Throws Refusal 404, and 409 for oneself or the last admin.
 */
export async function changeUser(
  services: Services,
  caller: Caller,
  id: string,
  given: UserChange,
): Promise<AdminUserDetail> {
  if (takesAway(given) && id === caller.userId)
    throw conflict('yourself', 'You cannot suspend, demote or unconfirm yourself. Ask another admin to do it.')
  const paused = await services.db.transaction().execute(async (db) => {
    if (takesAway(given)) await requireOtherAdmin(db, id)
    const row = (await store.lockUser(db, id)) && (await store.userById(db, id))
    if (!row) throw notFound('User')
    const user = present(row)
    const paused: string[] = []
    for (const { action, change, details = {} } of stepsTo(given, user)) {
      if (action === 'plan_changed') {
        // Writes its own line, because not only admins change plans.
        const until = given.planUntil ? new Date(given.planUntil) : null
        await setPlanByHand(db, row.workspaceId, given.plan ?? user.plan, until)
        continue
      }
      await updateUser(db, id, change)
      if (action === 'marked_verified') await confirmAddress(db, user)
      if (action === 'suspended' || action === 'marked_unverified') await deleteSessions(db, id, {})
      if (action === 'suspended') {
        paused.push(...(await pauseForSuspension(db, row.workspaceId)))
        await pauseCollecting(db, row.workspaceId)
      }
      await audit(db, { action, subject: user, workspaceId: row.workspaceId, details })
    }
    return paused
  })
  for (const campaignId of paused) services.live.publish('sending', campaignId)
  return showUser(services.db, id)
}

/** Signs a user out everywhere; the caller keeps the session of the request. Returns how many ended. */
export function endSessions({ db }: Services, caller: Caller, id: string): Promise<number> {
  return db.transaction().execute(async (db) => {
    const user = await store.userById(db, id)
    if (!user) throw notFound('User')
    const ended = await deleteSessions(db, id, id === caller.userId ? { except: caller.sessionId } : {})
    await audit(db, {
      action: 'sessions_ended',
      subject: user,
      workspaceId: user.workspaceId,
      details: { sessions: ended },
    })
    return ended
  })
}

/** Sends the verification mail again, within the limit of the product's own form. Throws Refusal 404 or 409. */
export async function sendVerification(services: Services, id: string): Promise<void> {
  const user = await store.userById(services.db, id)
  if (!user) throw notFound('User')
  if (user.emailVerifiedAt) throw conflict('verified', 'This address is already confirmed.')
  await audit(services.db, { action: 'verification_sent', subject: user, workspaceId: user.workspaceId })
  await resendVerification(services, user.email)
}
