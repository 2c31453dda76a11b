import type { Db } from '#server/platform/db/database.ts'
import { pauseJobs } from './store.ts'

const SUSPENDED = 'Paused: the account was suspended. What was found is kept; resume it once the account is open again.'

/** Pauses what a workspace collects, because its account is suspended. The process that crawls it lets go within a second. */
export function pauseCollecting(db: Db, workspaceId: string): Promise<void> {
  return pauseJobs(db, workspaceId, SUSPENDED)
}
