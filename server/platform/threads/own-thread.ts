import { type ResourceLimits, Worker } from 'node:worker_threads'
import { ThreadError } from './bounded.ts'

interface Options<Message> {
  /** What it is given as it starts: plain data, because it crosses to another thread. */
  workerData: object
  heap: ResourceLimits
  /** It is told `stop` when this aborts. */
  signal: AbortSignal
  onMessage(message: Message): void
}

/**
 * Runs a file in a thread of its own until it ends by itself: for one job that takes as long as it takes. Rejects with
 * ThreadError, reason `size`, when it needs more memory than it may have, and with what it threw.
 */
export async function runInOwnThread<Message>(
  file: URL,
  { workerData, heap, signal, onMessage }: Options<Message>,
): Promise<void> {
  const worker = new Worker(file, { workerData, resourceLimits: heap })
  const stop = () => worker.postMessage('stop')
  signal.addEventListener('abort', stop)
  try {
    await new Promise<void>((resolve, reject) => {
      worker.on('message', onMessage)
      worker.once('error', (error: NodeJS.ErrnoException) =>
        reject(
          error.code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? new ThreadError('size', 'the thread was stopped for its memory')
            : error,
        ),
      )
      worker.once('exit', () => resolve())
    })
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
