/** The rendering thread: MJML, CSS inlining and Liquid are synchronous, so one hostile template would stop everything else. */
// Every task needs it, and the time of a task is limited.
import 'html-to-text'
import {
  checkDraft,
  checkForRecipients,
  createTokens,
  findLinkTargets,
  prepare,
  renderCanvas,
  renderPreview,
  SpliceError,
  splice,
} from '#server/engine/index.ts'
import { serveTasks } from '#server/platform/threads/serve-tasks.ts'
import type { RenderTask, TestMessage } from './renderer.ts'

async function check({ draft, sample }: Extract<RenderTask, { kind: 'check' }>) {
  const { plan, problems, hrefs } = await checkDraft(draft)
  const costly = plan ? checkForRecipients(plan, sample) : []
  if (costly.length > 0) return { plan: null, problems: [...problems, ...costly], links: [] }
  return { plan, problems, links: plan ? findLinkTargets(hrefs, sample[0]) : [] }
}

function testMessage({ plan, recipient, attachments, key }: Extract<RenderTask, { kind: 'test' }>): TestMessage {
  try {
    return { message: splice(prepare(plan, createTokens(Buffer.from(key)), attachments), recipient) }
  } catch (error) {
    if (error instanceof SpliceError) return { problem: error.message }
    throw error
  }
}

function work(task: RenderTask) {
  if (task.kind === 'canvas') return renderCanvas(task.mjml, task.inlined)
  if (task.kind === 'test') return testMessage(task)
  return task.kind === 'check' ? check(task) : renderPreview(task.draft, task.recipient)
}

/** MJML takes most of a second and 30 MB: an email that is written as HTML waits for neither. */
let loaded = false

function load(task: RenderTask): Promise<unknown> | undefined {
  if (loaded || task.kind === 'test') return undefined
  if (task.kind !== 'canvas' && !task.draft.mjml?.trim() && !/<style\b/i.test(task.draft.html ?? '')) return undefined
  loaded = true
  return Promise.all([import('juice'), import('mjml')])
}

serveTasks(work, load)
