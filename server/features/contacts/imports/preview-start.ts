import { Semaphore } from '#server/platform/semaphore.ts'
import { BoundedThreads, ThreadError } from '#server/platform/threads/bounded.ts'
import { FileRefused } from './file/refusal.ts'
import type { FilePreview } from './file/rows.ts'
import { resourceLimits } from './import-start.ts'

/** The file, and whether its rows are to be counted and compared. */
export interface PreviewTask {
  path: string
  counts: boolean
}
export type PreviewResult = { seen: FilePreview } | { refused: string }

/** Milliseconds a look may take: a text file of 2 GB is read through once for its encoding. */
const TIME_LIMIT_MS = 60_000
const AT_ONCE = 2
const AGAIN = 'Save it as CSV, or split it, and send it again.'

const turns = new Semaphore({ total: AT_ONCE, each: 1 })
// Files are looked into now and then: between two of them no heap is held.
const threads = new BoundedThreads<PreviewTask>(new URL('./preview-thread.ts', import.meta.url), {
  timeMs: TIME_LIMIT_MS,
  heap: resourceLimits,
  threads: AT_ONCE,
  idleMs: 0,
})

/**
 * What a file holds, found out in a thread of its own, bounded in memory and time: the request thread serves everybody.
 * Each workspace has one at a time. Throws FileRefused.
 */
export async function previewBounded(workspaceId: string, task: PreviewTask): Promise<FilePreview> {
  const release = await turns.acquire(workspaceId)
  try {
    const result = (await threads.run(task)) as PreviewResult
    if ('refused' in result) throw new FileRefused(result.refused)
    return result.seen
  } catch (error) {
    const reason = error instanceof ThreadError ? error.reason : undefined
    if (reason === 'time') throw new FileRefused(`The file takes too long to read. ${AGAIN}`)
    if (reason === 'size') throw new FileRefused(`The file needs more memory to read than an import may have. ${AGAIN}`)
    throw error
  } finally {
    release()
  }
}
