import { Worker } from 'node:worker_threads'
import { Semaphore } from '#server/platform/semaphore.ts'
import { FileRefused } from './file/refusal.ts'
import type { FilePreview } from './file/rows.ts'
import { resourceLimits } from './import-start.ts'

export type PreviewAnswer = 'ready' | { seen: FilePreview } | { refused: string }

/** Milliseconds a look may take: a text file of 2 GB is read through once for its encoding. */
const TIME_LIMIT_MS = 60_000
/** Milliseconds for the thread to load its parts, on a busy machine. */
const START_LIMIT_MS = 30_000
const AGAIN = 'Save it as CSV, or split it, and send it again.'

const threads = new Semaphore({ total: 2, each: 1 })

/**
 * What a file holds, found out in a thread of its own, bounded in memory and time: the request thread answers everybody.
 * Each workspace has one at a time. Throws FileRefused.
 */
export async function previewBounded(workspaceId: string, path: string): Promise<FilePreview> {
  const release = await threads.acquire(workspaceId)
  try {
    return await look(path)
  } finally {
    release()
  }
}

async function look(path: string): Promise<FilePreview> {
  const worker = new Worker(new URL('./preview-thread.ts', import.meta.url), { workerData: path, resourceLimits })
  let clock: NodeJS.Timeout | undefined
  try {
    return await new Promise<FilePreview>((resolve, reject) => {
      const limit = (milliseconds: number, error: Error) => {
        clearTimeout(clock)
        clock = setTimeout(reject, milliseconds, error)
      }
      limit(START_LIMIT_MS, new Error('the thread that looks into import files did not start'))
      worker.on('message', (answer: PreviewAnswer) => {
        if (answer === 'ready') limit(TIME_LIMIT_MS, new FileRefused(`The file takes too long to read. ${AGAIN}`))
        else if ('seen' in answer) resolve(answer.seen)
        else reject(new FileRefused(answer.refused))
      })
      worker.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? new FileRefused(`The file needs more memory to read than an import may have. ${AGAIN}`)
            : error,
        ),
      )
      worker.once('exit', () => reject(new Error('the thread that looks into import files ended')))
    })
  } finally {
    clearTimeout(clock)
    await worker.terminate()
  }
}
