import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { TemplateProblem } from '#contracts/templates/templates.ts'
import type { Draft, Problem, Recipient } from '#server/engine/index.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Turn } from '#server/platform/threads/fair-queue.ts'
import type { Services } from '#server/services.ts'
import { mergeMissingAddresses } from './missing-addresses.ts'
import { checkDraftBounded } from './rendering/renderer.ts'
import { longestContacts } from './sample-store.ts'
import { findSampleTexts, sampleTextMessage } from './sample-text.ts'

export interface Source {
  subject: string
  html: string
  mjml: string
  text?: string
}

/** A source as the engine takes it, with what only a campaign knows filled in. */
export function toDraft(source: Source, publicUrl: string, footer: Draft['footer']): Draft {
  return {
    subject: source.subject,
    html: source.html || null,
    mjml: source.mjml || null,
    text: source.text || null,
    from: { name: null, address: 'sender@example.com' },
    trackOpens: false,
    trackClicks: true,
    publicUrl,
    footer,
    listId: 'preview',
    feedbackId: 'preview',
  }
}

/** What parsers say of themselves, in words that tell an author what to do. */
function plainly(message: string): string {
  return message
    .replace(/^Maximum call stack.*/, 'This is too deeply nested to prepare')
    .replace(/Maximum call stack size exceeded/, 'it is too deeply nested to prepare')
}

/** An engine's problem for the outside. What is about the sender or a subject not yet written is no fault of a template. */
function present(problem: Problem, source: Source): TemplateProblem[] {
  if (problem.part === 'sender' || (problem.part === 'subject' && source.subject.trim() === '')) return []
  const ofParser = problem.severity === 'error' ? `${problem.part}_syntax` : `${problem.part}_warning`
  const text = plainly(problem.message)
  const code = problem.code === 'syntax' ? ofParser : problem.code
  const message = problem.part === 'subject' ? `Subject: ${text}` : text
  return [{ severity: problem.severity, code, message, line: problem.part === 'subject' ? null : problem.line }]
}

/** Line of the first image without an alt text; null when there is none. */
function lineWithoutAlt(source: string): number | null {
  for (const tag of source.matchAll(/<(?:img|mj-image)\b[^<>]*>/gi))
    if (!/\salt\s*=/i.test(tag[0])) return source.slice(0, tag.index).split('\n').length
  return null
}

/** Problems of a template in the contract's words, errors first, with what the engine has no opinion on. */
export function presentProblems(problems: Problem[], source: Source): TemplateProblem[] {
  const shown = mergeMissingAddresses(problems, source).flatMap((problem) => present(problem, source))
  const bare = shown.find(({ code }) => code === 'image_alt')
  if (bare) bare.line = lineWithoutAlt(source.mjml || source.html)
  const samples = findSampleTexts(source)
  const sampleText = sampleTextMessage(samples)
  if (sampleText)
    shown.push({ severity: 'error', code: 'sample_text', message: sampleText, line: samples[0]?.line ?? null })
  const content = source.mjml || source.html
  if (content.trim() !== '' && !/\bunsubscribe_url\b/.test(content)) {
    shown.push({
      severity: 'warning',
      code: 'no_unsubscribe',
      message: 'This email has no unsubscribe link, so a footer with one and your postal address is added.',
      line: null,
    })
  }
  if (source.mjml.trim() !== '' && source.html.trim() !== '') {
    shown.push({
      severity: 'warning',
      code: 'html_unused',
      message: 'The template has both MJML and HTML. Emails are made from the MJML; the HTML is stored but not used.',
      line: null,
    })
  }
  return shown.toSorted((a, b) => Number(a.severity === 'warning') - Number(b.severity === 'warning'))
}

/** Milliseconds after which a stopped template gets another try: the machine may just have been busy. */
const STOPPED_FOR = 60_000
/** Problems by a hash of the content. */
const cache = new LRUCache<string, TemplateProblem[]>({ max: 200 })

/** What was saved is saved, and is shown, however much of the workspace waits to be checked. */
const NOT_CHECKED: TemplateProblem = {
  severity: 'warning',
  code: 'not_checked',
  message:
    'The template is not checked yet: your workspace is rendering too many templates. Open it again in a moment.',
  line: null,
}

function unlessTooMany(error: unknown): undefined {
  if (!(error instanceof Refusal && error.status === 429)) throw error
}

/** Everything to know about a template. Same content, same problems: they are worked out once while it stays in use. */
export async function findTemplateProblems(
  { db, config }: Pick<Services, 'db' | 'config'>,
  workspaceId: string,
  source: Source,
): Promise<TemplateProblem[]> {
  const sample = await longestContacts(db, workspaceId)
  const key = createHash('sha256')
    .update(JSON.stringify([source.subject, source.html, source.mjml, source.text, sample]))
    .digest('base64')
  const cached = cache.get(key)
  if (cached) return cached
  const found = await findProblems({ workspaceId }, source, config.publicUrl, sample).catch(unlessTooMany)
  if (!found) return [NOT_CHECKED]
  cache.set(key, found.problems, found.isStopped ? { ttl: STOPPED_FOR } : {})
  return found.problems
}

async function findProblems(
  turn: Turn,
  source: Source,
  publicUrl: string,
  sample: Recipient[],
): Promise<{ problems: TemplateProblem[]; isStopped: boolean }> {
  const draft = toDraft({ ...source, subject: source.subject || 'x' }, publicUrl, {})
  const { problems, isStopped = false } = await checkDraftBounded(turn, draft, sample)
  return { problems: presentProblems(problems, source), isStopped }
}
