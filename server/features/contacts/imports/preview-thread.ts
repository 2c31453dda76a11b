/** The thread that looks into files, with a heap of its own. Returns what a file holds, or why it is refused. */
import { serveTasks } from '#server/platform/threads/serve-tasks.ts'
import { FileRefused } from './file/refusal.ts'
import { preview } from './file/rows.ts'
import type { PreviewResult, PreviewTask } from './preview-start.ts'

serveTasks(async ({ path, counts }: PreviewTask): Promise<PreviewResult> => {
  try {
    return { seen: await preview(path, { counts }) }
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error
    return { refused: error.message }
  }
})
