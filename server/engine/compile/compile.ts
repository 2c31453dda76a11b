/** Turns a draft into a plan, once per campaign, and tells its author everything that is wrong with it. */
import { escapeText } from 'entities'
import { parseAddress } from '#contracts/email-address.ts'
import {
  CONTACT_ROOTS,
  findFields,
  type LiquidProblem,
  localNames,
  type ParsedText,
  parseTemplate,
  renderLiquid,
} from '../liquid/liquid.ts'
import type { Draft, Field, Plan, PlanLink, Problem } from '../types.ts'
import {
  afterBodyBegin,
  beforeBodyEnd,
  completeDocument,
  type FooterLinks,
  footerHtml,
  footerText,
  inlineCss,
  mjmlToHtml,
  ORIGIN,
  PIXEL,
  preheaderHtml,
} from './document.ts'
import { type Guard, guard } from './guard.ts'
import { identifier } from './headers.ts'
import { linkEdits } from './link-edits.ts'
import { findHrefs, type Href } from './link-targets.ts'
import { applyEdits, createLinkBook, type LinkBook, type Scan, scanHtml } from './links.ts'
import { lintDocument } from './lint.ts'
import { htmlToPlainText, ownText } from './text-part.ts'

/** A draft cannot be sent; `problems` has every reason. */
export class CompileError extends Error {
  problems: Problem[]
  constructor(problems: Problem[]) {
    const first = problems.find((problem) => problem.severity === 'error')
    const place = first?.line ? ` (${first.part}, line ${first.line})` : ''
    super(`${first?.message ?? 'The message cannot be made'}${place}`)
    this.name = 'CompileError'
    this.problems = problems
  }
}

export type Content = { subject: string; html: string; text: string; links: PlanLink[]; fields: Field[] }

const LINKS = { unsubscribe: '{{ unsubscribe_url }}', preferences: '{{ preferences_url }}' }
/** Gmail cuts messages at about 102 kB of HTML, and the footer and the pixel with it. */
const CLIPPED_AT = 100_000

/** Turns a draft into a plan. Throws CompileError with every problem when one of them is an error. */
export async function compile(draft: Draft): Promise<Plan> {
  const { plan, problems } = await checkDraft(draft)
  if (!plan) throw new CompileError(problems)
  return plan
}

/**
 * Everything a draft's author should know; the plan is null exactly when one of the problems is an error. `hrefs`: where its links
 * lead.
 */
export async function checkDraft(written: Draft): Promise<{ plan: Plan | null; problems: Problem[]; hrefs: Href[] }> {
  const draft = storable(written)
  const { content, problems, hrefs } = await buildContent(draft)
  const from = parseAddress(draft.from.address)
  const replyTo = draft.replyTo ? parseAddress(draft.replyTo.address) : null
  const complain = (part: Problem['part'], code: Problem['code'], message: string) =>
    problems.push({ code, part, line: null, severity: 'error', message })
  if (!from) complain('sender', 'sender', `${JSON.stringify(draft.from.address)} is not a valid sender address`)
  if (draft.replyTo && !replyTo)
    complain('sender', 'sender', `${JSON.stringify(draft.replyTo.address)} is not a valid reply address`)
  if (!draft.subject.trim()) complain('subject', 'empty_subject', 'The subject is empty')
  if (content) checkConfirmLink(draft, content, problems)
  if (!content || !from || problems.some((problem) => problem.severity === 'error'))
    return { plan: null, problems, hrefs }
  const plan: Plan = {
    version: 1,
    from: { name: draft.from.name ?? null, address: from.address },
    replyTo: replyTo ? { name: draft.replyTo?.name ?? null, address: replyTo.address } : null,
    publicUrl: draft.publicUrl.replace(/(?<!\/)\/+$/, ''),
    listId: identifier(draft.listId),
    listName: draft.listName ?? null,
    feedbackId: identifier(draft.feedbackId),
    ...(draft.purpose && { purpose: draft.purpose }),
    ...content,
    trackOpens: draft.trackOpens,
    ...(draft.totalsFor && { totalsFor: draft.totalsFor }),
    warnings: problems,
  }
  return { plan, problems, hrefs }
}

/** The confirmation link is what a confirmation email is for, and leads nowhere in any other. */
function checkConfirmLink({ purpose }: Draft, { fields }: Content, problems: Problem[]): void {
  const link = fields.find(({ path }) => path === 'confirm_url')
  const say = (severity: Problem['severity'], message: string) =>
    problems.push({ code: 'placeholder', part: 'html', line: link?.lines[0] ?? null, severity, message })
  if (purpose === 'confirmation' && !link)
    say('error', 'The confirmation link is missing: add a button or a link to {{ confirm_url }}')
  if (purpose !== 'confirmation' && link)
    say('warning', '{{ confirm_url }} leads to a page in confirmation emails only. In a campaign it is empty')
}

/** Text without what jsonb cannot hold: NUL and halves of surrogate pairs. Done before parsing, so that nothing becomes Liquid by it. */
function storable(draft: Draft): Draft {
  const clean = (_key: string, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value
  return JSON.parse(JSON.stringify(draft), clean) as Draft
}

/** The content of a draft as final Liquid; null when it cannot be parsed. Unknown fields are problems and render as nothing. */
export async function buildContent(
  written: Draft,
): Promise<{ content: Content | null; problems: Problem[]; hrefs: Href[] }> {
  const draft = storable(written)
  const part = draft.mjml?.trim() ? 'mjml' : 'html'
  const source = (part === 'mjml' ? draft.mjml : draft.html) ?? ''
  const problems: Problem[] = []
  if (!source.trim() && !draft.text?.trim()) {
    problems.push({ code: 'empty', part, line: null, severity: 'error', message: 'The message is empty' })
    return { content: null, problems, hrefs: [] }
  }
  const parsed = [parseFor(draft.subject, 'subject', problems), parseFor(source, part, problems)]
  if (draft.text?.trim()) parsed.push(parseFor(draft.text, 'text', problems))
  if (draft.preheader?.trim()) parsed.push(parsePreheader(draft.preheader, problems))
  if (parsed.includes(null)) return { content: null, problems, hrefs: [] }

  const book = createLinkBook(Boolean(draft.totalsFor))
  const tracked = draft.trackClicks && !parsed.some(shadowsContact) ? book : null
  const guarded = guard(source)
  const document = await buildDocument(draft, source, part, guarded, problems)
  if (document === null) return { content: null, problems, hrefs: [] }
  const { html, text, hrefs } = await finishDocument(draft, source, document, guarded, tracked, part, problems)
  const fields = mergeFields(parsed.flatMap((template) => (template ? findFields(template) : [])))
  const content = { subject: draft.subject, html, text, links: book.links, fields }
  return { content: checkFinal(content, problems) ? content : null, problems, hrefs }
}

/** Parses a source, notes its problems, and tries it once so that endless loops show now and with their line. */
function parseFor(source: string, part: Problem['part'], problems: Problem[]): ParsedText | null {
  const { parsed, problems: found } = parseTemplate(source, part)
  problems.push(...found)
  if (!parsed) return null
  try {
    renderLiquid(parsed, { name: 'Sample', email: 'sample@example.com', phone: null, attributes: {} })
    return parsed
  } catch (error) {
    const { code, line, message } = error as LiquidProblem
    problems.push({ code, part, line, message, severity: 'error' })
    return null
  }
}

/** The same of the preview text, whose problems say that they are its. */
function parsePreheader(source: string, problems: Problem[]): ParsedText | null {
  const found: Problem[] = []
  const parsed = parseFor(source, 'subject', found)
  problems.push(...found.map((problem) => ({ ...problem, message: `Preview text: ${problem.message}` })))
  return parsed
}

async function buildDocument(
  draft: Draft,
  source: string,
  part: 'html' | 'mjml',
  guarded: Guard,
  problems: Problem[],
): Promise<string | null> {
  if (!source.trim()) return textAsHtml(draft.text ?? '', guarded)
  const html = part === 'mjml' ? await mjmlToHtml(guarded, problems) : guarded.guarded
  return html === null ? null : inlineCss(guarded, completeDocument(html), problems)
}

/** A text-only message still gets an HTML part, for the links and the footer. */
function textAsHtml(text: string, guarded: Guard): string {
  const inner = guard(text)
  const escaped = escapeText(inner.guarded)
  const linked = escaped.replace(/https?:\/\/[^\s<>"')\]]+/gi, (url) => `<a href="${url}">${url}</a>`)
  const carried = inner.restore(linked, (span) => guarded.add(span.text))
  return completeDocument(`<div style="white-space:pre-wrap;font-family:Arial,Helvetica,sans-serif">${carried}</div>`)
}

async function finishDocument(
  draft: Draft,
  source: string,
  document: string,
  guarded: Guard,
  book: LinkBook | null,
  part: 'html' | 'mjml',
  problems: Problem[],
): Promise<{ html: string; text: string; hrefs: Href[] }> {
  const scan = scanHtml(document, guarded)
  const hrefs = findHrefs(scan, source, guarded)
  noteContents(scan, part, problems)
  if (draft.totalsFor) notePersonalSources(scan, guarded, part, problems)
  problems.push(...lintDocument(document, source, draft.subject, guarded, part))
  const edits = linkEdits(scan, document, source, guarded, book, part, problems)
  let html = applyEdits(document, edits)
  const own = draft.text?.trim() ? guard(draft.text) : null
  let text = own ? ownText(own, book) : await htmlToPlainText(html, guarded)
  if (!text.trim()) {
    const message = 'The text part would be empty: add some text, or alt texts to the images'
    problems.push({ code: 'empty_text', part: own ? 'text' : part, line: null, severity: 'error', message })
  }
  const offersUnsubscribe = [...scan.visible].some((index) =>
    /\bunsubscribe_url\b/.test(guarded.spans[index]?.text ?? ''),
  )
  const links = draft.purpose === 'confirmation' ? null : LINKS
  if (draft.tellsOrigins) {
    html = beforeBodyEnd(html, guarded.add(ORIGIN))
    text += ORIGIN
  }
  if (!offersUnsubscribe) html = beforeBodyEnd(html, footerHtml(draft.footer, links && guardLinks(links, guarded)))
  if (!/\bunsubscribe_url\b/.test(text)) text += footerText(draft.footer, links)
  if (draft.trackOpens) html = beforeBodyEnd(html, guarded.add(PIXEL))
  if (draft.preheader?.trim()) html = afterBodyBegin(html, preheaderHtml(draft.preheader, guarded))
  html = guarded.restore(html)
  if (Buffer.byteLength(html) > CLIPPED_AT) {
    const message = `The HTML has ${Math.round(Buffer.byteLength(html) / 1000)} kB; Gmail cuts messages at about 102 kB, the footer included`
    problems.push({ code: 'too_long', part, line: null, severity: 'warning', message })
  }
  return { html, text: text.endsWith('\n') ? text : `${text}\n`, hrefs }
}

const guardLinks = ({ unsubscribe, preferences }: FooterLinks, guarded: Guard): FooterLinks => ({
  unsubscribe: guarded.add(unsubscribe),
  preferences: guarded.add(preferences),
})

function noteContents(scan: Scan, part: Problem['part'], problems: Problem[]): void {
  const warn = (code: Problem['code'], message: string) =>
    problems.push({ code, part, line: null, severity: 'warning', message })
  const dead = ['script', 'iframe', 'form', 'object', 'embed', 'video'].filter((tag) => scan.tags.has(tag))
  if (dead.length > 0) warn('dropped_element', `Mail programs drop ${dead.map((tag) => `<${tag}>`).join(', ')}`)
  if (scan.imagesWithoutAlt > 0)
    warn(
      'image_alt',
      `${scan.imagesWithoutAlt === 1 ? 'One image has' : `${scan.imagesWithoutAlt} images have`} no alt text`,
    )
}

/** An image whose address has a merge field tells its server who opened the email. */
function notePersonalSources(scan: Scan, guarded: Guard, part: Problem['part'], problems: Problem[]): void {
  const message =
    'Only totals are tracked, but an image URL with a merge field tells its server who opened the email. Use the same image for everybody'
  const lines = scan.sources.flatMap(({ href }) => {
    const span = guarded.spans[guarded.indexes(href)[0] ?? -1]
    return span ? [span.line] : []
  })
  for (const line of new Set(lines)) problems.push({ code: 'image', part, line, severity: 'warning', message })
}

/** A name the template gives to itself means something else where a link is clicked. */
function shadowsContact(parsed: ParsedText | null): boolean {
  const locals = parsed ? localNames(parsed) : new Set<string>()
  return CONTACT_ROOTS.some((name) => locals.has(name))
}

function checkFinal(content: Content, problems: Problem[]): boolean {
  for (const part of ['html', 'text'] as const) {
    const { parsed, problems: found } = parseTemplate(content[part], part)
    if (parsed) continue
    const reason = found[0]?.message ?? ''
    const message =
      part === 'text'
        ? `The text part cannot be made from the HTML (${reason}): write it yourself`
        : `Liquid and HTML are interleaved in a way that cannot be kept (${reason})`
    problems.push({ code: found[0]?.code ?? 'syntax', part, line: null, severity: 'error', message })
    return false
  }
  return true
}

function mergeFields(fields: Field[]): Field[] {
  const merged = new Map<string, Field>()
  for (const field of fields) {
    const known = merged.get(field.path)
    if (known) {
      known.lines = [...new Set([...known.lines, ...field.lines])]
      if (field.bare) known.bare = true
    } else merged.set(field.path, { ...field, lines: [...field.lines] })
  }
  return [...merged.values()]
}
