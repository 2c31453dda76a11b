/** The rendering thread: MJML, CSS inlining and Liquid are synchronous, so one hostile template would stop everything else. */
// What compiling loads when it is first needed is there before the first task, whose time is limited.
import 'html-to-text'
import 'juice'
import 'mjml'
import {
  checkDraft,
  checkForRecipients,
  createTokens,
  prepare,
  renderCanvas,
  renderPreview,
  SpliceError,
  splice,
} from '#server/engine/index.ts'
import { serveTasks } from '#server/platform/threads/serve-tasks.ts'
import type { RenderTask, TestMessage } from './renderer.ts'

async function check({ draft, sample }: Extract<RenderTask, { kind: 'check' }>) {
  const { plan, problems } = await checkDraft(draft)
  const costly = plan ? checkForRecipients(plan, sample) : []
  return costly.length > 0 ? { plan: null, problems: [...problems, ...costly] } : { plan, problems }
}

function testMessage({ plan, recipient, attachments, key }: Extract<RenderTask, { kind: 'test' }>): TestMessage {
  try {
    return { message: splice(prepare(plan, createTokens(Buffer.from(key)), attachments), recipient) }
  } catch (error) {
    if (error instanceof SpliceError) return { problem: error.message }
    throw error
  }
}

serveTasks((task: RenderTask) => {
  if (task.kind === 'canvas') return renderCanvas(task.mjml, task.inlined)
  if (task.kind === 'test') return testMessage(task)
  return task.kind === 'check' ? check(task) : renderPreview(task.draft, task.recipient)
})
