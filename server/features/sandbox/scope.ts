import type { Caller } from '#server/platform/http/mount.ts'
import { adminRequired } from '#server/platform/http/refusal.ts'

/**
 * Whose part of the sandbox is meant: that of a workspace, that of the installation itself (confirmations, resets, and
 * whatever else no workspace sent or created), or everything.
 */
export type SandboxScope = { workspaceId: string } | 'system' | 'all'

/** Whether something belongs to a scope; `workspaceId` null: to no workspace. */
export function isInScope(scope: SandboxScope, { workspaceId }: { workspaceId: string | null }): boolean {
  if (scope === 'all') return true
  return scope === 'system' ? workspaceId === null : workspaceId === scope.workspaceId
}

/** What a caller may see: admins choose, everybody else has their own workspace. Throws Refusal 403. */
export function findScope({ role, workspaceId }: Caller, of?: 'all' | 'workspace' | 'system'): SandboxScope {
  if (role !== 'admin') {
    if (of !== undefined && of !== 'workspace') throw adminRequired()
    return { workspaceId }
  }
  return of === 'workspace' ? { workspaceId } : (of ?? 'all')
}
