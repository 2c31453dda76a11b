/** The thread of one look into a file, with a heap of its own. Tells what it found, or why the file is refused. */
import { parentPort, workerData } from 'node:worker_threads'
import { FileRefused } from './file/refusal.ts'
import { preview } from './file/rows.ts'
import type { PreviewAnswer } from './preview-start.ts'

const tell = (answer: PreviewAnswer) => parentPort?.postMessage(answer)
tell('ready')
try {
  tell({ seen: await preview(workerData as string) })
} catch (error) {
  if (!(error instanceof FileRefused)) throw error
  tell({ refused: error.message })
}
