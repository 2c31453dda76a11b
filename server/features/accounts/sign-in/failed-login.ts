import { type AuditPerson, audit, visitorNetwork } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/db/database.ts'
import { throttle } from '#server/platform/throttle.ts'

const LINES_AN_HOUR = 30

/**
 * Notes a failed sign-in, at most 30 times an hour for each network: a guessing machine must not fill the log. An address
 * without an account is not written down, since people type passwords into the wrong field. The same work either way.
 */
export async function auditFailedLogin(
  db: Db,
  user: (AuditPerson & { workspaceId: string }) | undefined,
  reason = 'wrong password',
): Promise<void> {
  const { ok } = await throttle(db, `audit:login:${visitorNetwork()}`, LINES_AN_HOUR, 3600)
  if (!ok) return
  await audit(db, {
    action: 'login_failed',
    actor: '',
    subject: user ?? 'unknown address',
    ...(user && { workspaceId: user.workspaceId }),
    details: user ? { reason } : {},
  })
}
