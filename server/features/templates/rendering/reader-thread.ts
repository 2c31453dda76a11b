/** The thread for what anybody may ask for with a link of an email: where it leads, and the email as a page. */
// Not through the engine's index: it also loads what compiles templates, which takes long and is not needed here.
import { type MarkedEmail, renderMarked } from '#server/engine/compile/click-map.ts'
import { renderLink } from '#server/engine/compile/links.ts'
import { renderSharedView, renderView } from '#server/engine/compile/splice.ts'
import { createTokens } from '#server/engine/compile/tokens.ts'
import { LiquidProblem } from '#server/engine/liquid/liquid.ts'
import { serveTasks } from '#server/platform/threads/serve-tasks.ts'
import type { ReaderTask } from './renderer.ts'

function page({ plan, recipient, key }: Extract<ReaderTask, { kind: 'page' }>): string | null {
  try {
    const read = { plan, tokens: createTokens(Buffer.from(key)) }
    return (recipient === null ? renderSharedView(read) : renderView(read, recipient)).html
  } catch (error) {
    if (error instanceof LiquidProblem) return null
    throw error
  }
}

function marked({ plan, recipient, people }: Extract<ReaderTask, { kind: 'marked' }>): MarkedEmail | null {
  try {
    return renderMarked(plan, recipient, people)
  } catch (error) {
    if (error instanceof LiquidProblem) return null
    throw error
  }
}

serveTasks((task: ReaderTask) => {
  if (task.kind === 'link') return renderLink(task.url, task.recipient)
  return task.kind === 'page' ? page(task) : marked(task)
})
