import {
  CompileError,
  type Draft,
  type LinkTarget,
  type MarkedEmail,
  type Message,
  type Plan,
  type Preview,
  type Problem,
  type Recipient,
} from '#server/engine/index.ts'
import { conflict, tooMany } from '#server/platform/http/refusal.ts'
import { BoundedThreads, ThreadError } from '#server/platform/threads/bounded.ts'
import type { Turn } from '#server/platform/threads/fair-queue.ts'

export type RenderTask =
  | { kind: 'check'; draft: Draft; sample: Recipient[] }
  | { kind: 'preview'; draft: Draft; recipient: Recipient }
  | { kind: 'canvas'; mjml: string; inlined: boolean }
  | { kind: 'test'; plan: Plan; recipient: Recipient; attachments: string; key: Uint8Array }
/** A message for one person, or why there is none. */
export type TestMessage = { message: Message } | { problem: string }

/**
 * What a check found. `links`: where its links lead the first person of the sample. `isStopped`: it went over a limit, which may be
 * the machine's fault and not the draft's.
 */
interface CheckedDraft {
  plan: Plan | null
  problems: Problem[]
  links: LinkTarget[]
  isStopped?: true
}

export type ReaderTask =
  | { kind: 'link'; url: string; recipient: Recipient }
  | { kind: 'page'; plan: Plan; recipient: Recipient | null; key: Uint8Array }
  | { kind: 'marked'; plan: Plan; recipient: Recipient; people: Record<number, number> }

/** Milliseconds one template may take: an ordinary one needs 10 to 200, 1 MB of nested tags or of CSS needs minutes. */
const TIME_LIMIT = 5_000
/** After so long without a task a thread ends: what renders MJML has 100 MB, and starts anew in a second. */
const IDLE_MS = 120_000
/** Three semi-spaces of 4 MiB: what one template leaves behind is collected as it comes. */
const YOUNG_MB = 12
const ADVICE = 'so it was stopped. Look for very deep nesting, very many elements, huge style sheets or loops in loops.'
const REASONS = {
  time: `It takes more than ${TIME_LIMIT / 1000} seconds to prepare, ${ADVICE}`,
  size: `It is too large or too deeply nested to prepare, ${ADVICE}`,
}

// The editor asks for the problems, the canvas and a preview at once, in more than one tab.
const authors = new BoundedThreads<RenderTask>(new URL('./renderer-thread.ts', import.meta.url), {
  timeMs: TIME_LIMIT,
  heap: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: YOUNG_MB },
  waiting: 6,
  idleMs: IDLE_MS,
})
// Apart from the authors' work: a link must not wait for somebody's preview.
const readers = new BoundedThreads<ReaderTask>(new URL('./reader-thread.ts', import.meta.url), {
  timeMs: 3_000,
  heap: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: YOUNG_MB },
  waiting: 100,
  idleMs: IDLE_MS,
})

const isMjmlTask = (task: RenderTask) => task.kind === 'canvas' || ('draft' in task && Boolean(task.draft.mjml?.trim()))

const RETRY_AFTER_SECONDS = 5

/** Whether a task went over a limit. Throws Refusal 429 where it was not tried, because too much waits, and what broke. */
function isOverLimit(error: unknown): error is ThreadError & { reason: keyof typeof REASONS } {
  const reason = error instanceof ThreadError ? error.reason : undefined
  if (reason === 'queue')
    throw tooMany('Your workspace is rendering too many templates. Wait a moment, then try again.', RETRY_AFTER_SECONDS)
  if (reason === 'time' || reason === 'size') return true
  throw error
}

async function render<T>(turn: Turn, task: RenderTask, onLimit: (problems: Problem[]) => T): Promise<T> {
  try {
    return (await authors.run(task, turn)) as T
  } catch (error) {
    if (!isOverLimit(error)) throw error
    return onLimit([
      {
        code: 'too_much_work',
        part: isMjmlTask(task) ? 'mjml' : 'html',
        line: null,
        severity: 'error',
        message: REASONS[error.reason],
      },
    ])
  }
}

/**
 * The engine's checkDraft in a thread of its own, bounded in time and memory: what is over the limit is a problem like any
 * other, also when it is so for one of the `sample` only. All of these reject with Refusal 429 when too much of the
 * workspace waits already.
 */
export const checkDraftBounded = (turn: Turn, draft: Draft, sample: Recipient[] = []) =>
  render<CheckedDraft>(turn, { kind: 'check', draft, sample }, (problems) => ({
    plan: null,
    problems,
    links: [],
    isStopped: true,
  }))

/** Starts what all of these run in: a check or a preview will be asked for soon. */
export const warmRenderer = () => authors.warm()

/** The engine's compile, bounded likewise. Throws CompileError. */
export async function compileBounded(turn: Turn, draft: Draft): Promise<Plan> {
  const { plan, problems } = await checkDraftBounded(turn, draft)
  if (!plan) throw new CompileError(problems)
  return plan
}

/** The engine's renderPreview, bounded likewise. */
export const renderPreviewBounded = (turn: Turn, draft: Draft, recipient: Recipient) =>
  render<Preview>(turn, { kind: 'preview', draft, recipient }, (problems) => ({
    subject: draft.subject,
    html: '',
    text: '',
    problems,
  }))

/** The engine's renderCanvas, bounded likewise. */
export const renderCanvasBounded = (turn: Turn, mjml: string, inlined: boolean) =>
  render<{ html: string; problems: Problem[] }>(turn, { kind: 'canvas', mjml, inlined }, (problems) => ({
    html: '',
    problems,
  }))

/**
 * A draft as a message for one person, to be tried: compiled and spliced, bounded likewise. `key`: of the message tokens.
 * `attachments`: as the engine's prepare takes them. Throws Refusal 409 when it cannot be made.
 */
export async function testMessageBounded(
  turn: Turn,
  draft: Draft,
  recipient: Recipient,
  key: Uint8Array,
  attachments = '',
): Promise<Message> {
  const plan = await compileBounded(turn, draft).catch((error) => {
    throw error instanceof CompileError ? conflict('not_ready', error.message) : error
  })
  return messageBounded(turn, plan, recipient, key, attachments)
}

/** A plan as a message for one person, bounded likewise. Throws Refusal 409 when it cannot be made. */
export async function messageBounded(
  turn: Turn,
  plan: Plan,
  recipient: Recipient,
  key: Uint8Array,
  attachments = '',
): Promise<Message> {
  const made = await render<TestMessage>(turn, { kind: 'test', plan, recipient, attachments, key }, ([problem]) => ({
    problem: problem?.message ?? REASONS.time,
  }))
  if ('problem' in made) throw conflict('not_ready', made.problem)
  const { data } = made.message
  return { ...made.message, data: Buffer.from(data.buffer, data.byteOffset, data.byteLength) }
}

async function forReader<T = string>(workspaceId: string, task: ReaderTask): Promise<T | null> {
  try {
    return (await readers.run(task, { workspaceId })) as T | null
  } catch (error) {
    if (isOverLimit(error)) return null
    throw error
  }
}

/** Where a link of an email leads its recipient, bounded likewise; null: nowhere. */
export const renderLinkBounded = (workspaceId: string, url: string, recipient: Recipient) =>
  forReader(workspaceId, { kind: 'link', url, recipient })

/** An email as a page for its recipient, or (null) for everybody, bounded likewise; null when it cannot be made. `key`: of the message tokens. */
export const renderPageBounded = (workspaceId: string, plan: Plan, recipient: Recipient | null, key: Uint8Array) =>
  forReader(workspaceId, { kind: 'page', plan, recipient, key })

/** What was sent, for a person who does not exist, with clicks beside its links; bounded likewise, null when it cannot be made. */
export const renderMarkedBounded = (
  workspaceId: string,
  plan: Plan,
  recipient: Recipient,
  people: Record<number, number>,
) => forReader<MarkedEmail>(workspaceId, { kind: 'marked', plan, recipient, people })

/** Ends the threads; they start again when they are needed. */
export async function stopRenderer(): Promise<void> {
  await Promise.all([authors.stop(), readers.stop()])
}
