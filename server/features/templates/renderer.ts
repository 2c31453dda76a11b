import { Worker } from 'node:worker_threads'
import {
  CompileError,
  type Draft,
  type Plan,
  type Preview,
  type Problem,
  type Recipient,
} from '#server/engine/index.ts'

export type RenderTask =
  | { kind: 'check'; draft: Draft }
  | { kind: 'preview'; draft: Draft; recipient: Recipient }
  | { kind: 'canvas'; mjml: string; inlined: boolean }
export type RenderAnswer = { ready: true } | { value: unknown } | { limit: true } | { failure: string }

/** A template took more time, memory or depth than any real one needs; the message is for people. */
class RenderLimitError extends Error {}

/** Milliseconds one template may take: an ordinary one needs 10 to 200, 1 MB of nested tags or of CSS needs minutes. */
const TIME_LIMIT = 5_000
/** Milliseconds for the thread to load its parts, on a busy machine. */
const START_LIMIT = 30_000
const MEMORY_LIMIT_MB = 512
const ADVICE = 'so it was stopped. Look for very deep nesting, very many elements, huge style sheets or loops in loops.'
const TOO_SLOW = `It takes more than ${TIME_LIMIT / 1000} seconds to prepare, ${ADVICE}`
const TOO_MUCH = `It is too large or too deeply nested to prepare, ${ADVICE}`

interface Waiting {
  task: RenderTask
  resolve(value: unknown): void
  reject(error: Error): void
}

const queue: Waiting[] = []
let thread: { worker: Worker; isReady: boolean } | undefined
let current: { waiting: Waiting; timer: NodeJS.Timeout } | undefined

function settle(finish: (waiting: Waiting) => void): void {
  if (!current) return
  const { waiting, timer } = current
  clearTimeout(timer)
  current = undefined
  finish(waiting)
  next()
}

/** Ends the thread with whatever it does; the next task gets a new one. */
function giveUp(error: Error): void {
  const ended = thread
  thread = undefined
  void ended?.worker.terminate()
  settle(({ reject }) => reject(error))
}

function startClock(): NodeJS.Timeout {
  const isReady = thread?.isReady
  return setTimeout(
    () => giveUp(isReady ? new RenderLimitError(TOO_SLOW) : new Error('the rendering thread did not start')),
    isReady ? TIME_LIMIT : START_LIMIT,
  )
}

function hear(answer: RenderAnswer): void {
  if ('ready' in answer) {
    if (thread) thread.isReady = true
    if (!current) return
    clearTimeout(current.timer)
    current.timer = startClock()
  } else if ('value' in answer) settle(({ resolve }) => resolve(answer.value))
  else
    settle(({ reject }) =>
      reject('limit' in answer ? new RenderLimitError(TOO_MUCH) : new Error(`rendering failed: ${answer.failure}`)),
    )
}

function open(): { worker: Worker; isReady: boolean } {
  const worker = new Worker(new URL('./renderer-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
  })
  const ifCurrent = (then: () => void) => void (thread?.worker === worker && then())
  worker.on('message', (answer: RenderAnswer) => ifCurrent(() => hear(answer)))
  worker.on('error', (error: NodeJS.ErrnoException) =>
    ifCurrent(() => giveUp(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new RenderLimitError(TOO_MUCH) : error)),
  )
  worker.on('exit', () => ifCurrent(() => giveUp(new Error('the rendering thread ended'))))
  return { worker, isReady: false }
}

function next(): void {
  if (current) return
  const waiting = queue.shift()
  // Idle, it does not keep the process alive.
  if (!waiting) return void thread?.worker.unref()
  thread ??= open()
  thread.worker.ref()
  current = { waiting, timer: startClock() }
  thread.worker.postMessage(waiting.task)
}

const isMjmlTask = (task: RenderTask) => task.kind === 'canvas' || Boolean(task.draft.mjml?.trim())

async function render<T>(task: RenderTask, onLimit: (problems: Problem[]) => T): Promise<T> {
  try {
    return (await new Promise((resolve, reject) => {
      queue.push({ task, resolve, reject })
      next()
    })) as T
  } catch (error) {
    if (!(error instanceof RenderLimitError)) throw error
    return onLimit([
      { part: isMjmlTask(task) ? 'mjml' : 'html', line: null, severity: 'error', message: error.message },
    ])
  }
}

/** The engine's checkDraft in a thread of its own, bounded in time and memory: what is over the limit is a problem like any other. */
export const checkDraftBounded = (draft: Draft) =>
  render<{ plan: Plan | null; problems: Problem[] }>({ kind: 'check', draft }, (problems) => ({ plan: null, problems }))

/** The engine's compile, bounded likewise. Throws CompileError. */
export async function compileBounded(draft: Draft): Promise<Plan> {
  const { plan, problems } = await checkDraftBounded(draft)
  if (!plan) throw new CompileError(problems)
  return plan
}

/** The engine's renderPreview, bounded likewise. */
export const renderPreviewBounded = (draft: Draft, recipient: Recipient) =>
  render<Preview>({ kind: 'preview', draft, recipient }, (problems) => ({
    subject: draft.subject,
    html: '',
    text: '',
    problems,
  }))

/** The engine's renderCanvas, bounded likewise. */
export const renderCanvasBounded = (mjml: string, inlined: boolean) =>
  render<{ html: string; problems: Problem[] }>({ kind: 'canvas', mjml, inlined }, (problems) => ({
    html: '',
    problems,
  }))

/** Ends the thread; it starts again when it is needed. */
export async function stopRenderer(): Promise<void> {
  const ended = thread
  for (const { reject } of queue.splice(0)) reject(new Error('the process stops'))
  if (current) giveUp(new Error('the process stops'))
  else thread = undefined
  await ended?.worker.terminate()
}
