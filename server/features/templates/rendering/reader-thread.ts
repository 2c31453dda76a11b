/** The thread for what anybody may ask for with a link of an email: where it leads, and the email as a page. */
// Not through the engine's index: it also loads what compiles templates, which takes long and is not needed here.
import { renderLink } from '#server/engine/compile/links.ts'
import { renderView } from '#server/engine/compile/splice.ts'
import { createTokens } from '#server/engine/compile/tokens.ts'
import { LiquidProblem } from '#server/engine/liquid/liquid.ts'
import { serveTasks } from '#server/platform/threads/serve-tasks.ts'
import type { ReaderTask } from './renderer.ts'

function page({ plan, recipient, key }: Extract<ReaderTask, { kind: 'page' }>): string | null {
  try {
    return renderView({ plan, tokens: createTokens(Buffer.from(key)) }, recipient).html
  } catch (error) {
    if (error instanceof LiquidProblem) return null
    throw error
  }
}

serveTasks((task: ReaderTask) => (task.kind === 'link' ? renderLink(task.url, task.recipient) : page(task)))
