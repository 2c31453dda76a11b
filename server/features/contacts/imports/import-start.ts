import type { Config } from '#server/platform/config.ts'
import type { Connection } from '#server/platform/db/database.ts'
import { ThreadError } from '#server/platform/threads/bounded.ts'
import { runInOwnThread } from '#server/platform/threads/own-thread.ts'
import type { Services } from '#server/services.ts'
import { deleteFile } from './files-store.ts'
import { endImport, importById } from './imports-store.ts'

/** What the thread is given: plain data, because it crosses to another thread. */
export interface ThreadData {
  connection: Connection
  config: Pick<Config, 'dataDir' | 'logLevel' | 'secretKey'>
  workspaceId: string
  id: string
}

/** Heap of an import, or of a look into a file, in MiB. A million rows leave gigabytes of garbage: a small heap has it collected as it comes. */
export const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }

/**
 * Runs an import in a thread of its own, so that requests do not wait for it and its memory is bounded. One that was cut
 * off goes on at the row it had come to. Returns early when `signal` aborts.
 */
export async function runImport(
  services: Services,
  workspaceId: string,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) return
  const { dataDir, logLevel, secretKey } = services.config
  const workerData: ThreadData = {
    connection: services.connection,
    config: { dataDir, logLevel, secretKey },
    workspaceId,
    id,
  }
  try {
    await runInOwnThread(new URL('./import-thread.ts', import.meta.url), {
      workerData,
      heap: resourceLimits,
      signal,
      onMessage: (rows: number) => services.live.publish(`import:${id}`, rows),
    })
  } catch (error) {
    if (!(error instanceof ThreadError && error.reason === 'size')) throw error
    await giveUp(services, workspaceId, id)
  }
}

/** A file that needs more memory than there is would need it the next time too. */
async function giveUp(services: Services, workspaceId: string, id: string): Promise<void> {
  const row = await importById(services.db, workspaceId, id)
  const error =
    'The file needs more memory to read than an import may have. The rows before that were imported. Split it, or save it as CSV, and send it again.'
  const ended = await endImport(services.db, workspaceId, id, { state: 'failed', error })
  if (row && ended) await deleteFile(services.db, workspaceId, row.filePath)
}
