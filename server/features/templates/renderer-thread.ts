/** The rendering thread: MJML, CSS inlining and Liquid are synchronous, so one hostile template would stop everything else. */
import { parentPort } from 'node:worker_threads'
import { checkDraft, renderCanvas, renderPreview } from '#server/engine/index.ts'
import type { RenderAnswer, RenderTask } from './renderer.ts'

async function answer(task: RenderTask): Promise<RenderAnswer> {
  try {
    if (task.kind === 'canvas') return { value: await renderCanvas(task.mjml, task.inlined) }
    return {
      value: task.kind === 'check' ? await checkDraft(task.draft) : await renderPreview(task.draft, task.recipient),
    }
  } catch (error) {
    // Parsers of HTML and CSS are recursive: nesting deeper than the stack ends like this.
    if (error instanceof RangeError) return { limit: true }
    return { failure: (error as Error).stack ?? String(error) }
  }
}

parentPort?.on('message', async (task: RenderTask) => parentPort?.postMessage(await answer(task)))
parentPort?.postMessage({ ready: true } satisfies RenderAnswer)
