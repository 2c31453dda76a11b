import type { Db } from '#server/platform/db/database.ts'
import { pauseJobs } from './store.ts'

const SUSPENDED =
  'Paused: the account was suspended. The results are retained. Resume it once the account is active again.'

/** Pauses what a workspace collects, because its account is suspended. The process that crawls it lets go within a second. */
export function pauseCollecting(db: Db, workspaceId: string): Promise<void> {
  return pauseJobs(db, workspaceId, SUSPENDED)
}
