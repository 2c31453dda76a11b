/**
 * Liquid, bounded: no files, no prototypes, a counted number of steps, a budget of work, a capped output.
 * Two engines with the same rules: values are escaped in HTML and left alone in text and subjects.
 */
import { type Liquid, type Template, Tokenizer, TokenKind, toValueSync } from 'liquidjs'
import type { Field, Problem, ProblemCode } from '../types.ts'
import { findBareFields } from './bare-fields.ts'
import { BoundedContext, CappedOutput, createEngine, parseBounded, plainText } from './liquid-engine.ts'
import { findProblemCode, LiquidFault } from './liquid-fault.ts'
import { Work } from './work.ts'

export type TextKind = 'html' | 'text'
export type ParsedText = { kind: TextKind; source: string; templates: Template[] }
export type Scope = Record<string, unknown>

/** Characters of a template; larger ones are refused before anything is parsed. */
export const TEMPLATE_LIMIT = 1_000_000

/** What is a contact's in a template: a template that gives one of these names to something else is rendered by Liquid alone. */
export const CONTACT_ROOTS = ['name', 'first_name', 'last_name', 'email', 'phone', 'attributes']

/** What only confirmation emails fill in; elsewhere these fields are empty. */
export const CONFIRMATION_ROOTS = ['confirm_url', 'list_name']

/** What may stand first in a merge field. */
export const FIELD_ROOTS = [...CONTACT_ROOTS, 'unsubscribe_url', 'preferences_url', 'view_url', ...CONFIRMATION_ROOTS]

export class LiquidProblem extends LiquidFault {
  line: number | null
  constructor(code: ProblemCode, message: string, line: number | null) {
    super(code, message)
    this.line = line
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

/** Escapes a value for HTML text and quoted attributes. */
export function escapeHtml(value: unknown): string {
  const text = plainText(value)
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (char) => ENTITIES[char] as string) : text
}

/** A value inside a link: nothing in it can end the path, the query or the attribute. */
export function urlValue(value: unknown): string {
  return encodeURIComponent(plainText(value).toWellFormed())
}

/** A value that is a whole address: only schemes that are harmless in a mail, else nothing. */
export function hrefValue(value: unknown): string {
  const text = plainText(value).trim()
  return /^(?:https?:\/\/|mailto:|tel:)[^\s]/i.test(text) ? text : ''
}

const own = { postlark_url: urlValue, postlark_href: hrefValue }
const engines: Record<TextKind, Liquid> = { html: createEngine(escapeHtml, own), text: createEngine(null, own) }

/** Parses a template; throws LiquidProblem with the line in `source`. */
export function parseLiquid(source: string, kind: TextKind): ParsedText {
  if (source.length > TEMPLATE_LIMIT) {
    const size = (source.length / 1_000_000).toFixed(1)
    throw new LiquidProblem(
      'syntax',
      `This is ${size} million characters long; ${TEMPLATE_LIMIT / 1_000_000} million is the most`,
      null,
    )
  }
  try {
    return { kind, source, templates: parseBounded(engines[kind], source) }
  } catch (error) {
    throw asProblem(error)
  }
}

/** Parses a template for its author: the parsed form, or what is wrong with it. */
export function parseTemplate(
  source: string,
  part: Problem['part'] = 'html',
): { parsed: ParsedText | null; problems: Problem[] } {
  try {
    const parsed = parseLiquid(source, part === 'html' || part === 'mjml' ? 'html' : 'text')
    return { parsed, problems: unknownFields(findFields(parsed), part) }
  } catch (error) {
    const { code, line, message } = asProblem(error)
    return { parsed: null, problems: [{ code, part, line, message, severity: 'error' }] }
  }
}

function unknownFields(fields: Field[], part: Problem['part']): Problem[] {
  return fields
    .filter((field) => !field.known)
    .map((field) => ({
      code: 'unknown_field' as const,
      part,
      line: field.lines[0] ?? null,
      severity: 'error' as const,
      message: `There is no field {{ ${field.path} }}. Known are name, first_name, last_name, email, phone, attributes.…, unsubscribe_url, preferences_url and view_url, and in confirmation emails confirm_url and list_name`,
    }))
}

/** The merge fields a template reads, each with its lines; names it assigns itself are not among them. */
export function findFields(parsed: ParsedText): Field[] {
  const fields = new Map<string, { root: string; lines: Set<number> }>()
  for (const variables of Object.values(
    engines[parsed.kind].analyzeSync(parsed.templates, { partials: false }).globals,
  )) {
    for (const { segments, location } of variables) {
      const path = segments.map(String).join('.')
      const field = fields.get(path) ?? { root: String(segments[0]), lines: new Set() }
      fields.set(path, field)
      field.lines.add(location.row)
    }
  }
  const bare = fields.size === 0 ? new Set<string>() : findBareFields(parsed.source, liquidSpans(parsed.source))
  return [...fields].map(([path, { root, lines }]) => ({
    path,
    lines: [...lines],
    known: FIELD_ROOTS.includes(root),
    ...(bare.has(path) && { bare: true }),
  }))
}

/** Names a template gives values to, by assign, capture, for or increment. */
export function localNames(parsed: ParsedText): Set<string> {
  const names = new Set(Object.keys(engines[parsed.kind].analyzeSync(parsed.templates, { partials: false }).locals))
  for (const [, name] of parsed.source.matchAll(/\{%-?\s*(?:increment|decrement|cycle)\s+([\w-]+)/g))
    names.add(name as string)
  return names
}

/** One recipient's rendering: assigned names last from one piece of the template to the next, and so does the work spent. */
export function renderContext(scope: Scope, kind: TextKind, work = new Work()): BoundedContext {
  return new BoundedContext(scope, engines[kind], work)
}

/** Renders templates in a context; throws LiquidProblem naming the line. */
export function renderIn(
  context: BoundedContext,
  parsed: ParsedText,
  templates: Template[] = parsed.templates,
): string {
  const output = new CappedOutput(context.memoryLimit)
  try {
    toValueSync(engines[parsed.kind].renderer.renderTemplates(templates, context as never, output) as never)
    return output.buffer
  } catch (error) {
    throw asProblem(error, parsed)
  }
}

/** Renders a whole template. */
export function renderLiquid(parsed: ParsedText, scope: Scope, work?: Work): string {
  return renderIn(renderContext(scope, parsed.kind, work), parsed)
}

/** Where the tags and outputs of a template stand; what lies between is plain text. */
export function liquidSpans(source: string): { begin: number; end: number; output: boolean; text: string }[] {
  return new Tokenizer(source)
    .readTopLevelTokens()
    .filter((token) => token.kind !== TokenKind.HTML)
    .map(({ begin, end, kind }) => ({ begin, end, output: kind === TokenKind.Output, text: source.slice(begin, end) }))
}

/** The source of a tag or output; null for plain text. */
export function tagSource({ token }: Template): string | null {
  return token.kind === TokenKind.HTML ? null : token.getText()
}

/** What a plain text node says, with the spaces trimmed that its neighbors ask for. */
export function staticText({ token }: Template): string {
  return (token as unknown as { getContent(): string }).getContent()
}

/** LiquidJS has no error of its own for it, only these words. */
const UNKNOWN_FILTER = /^undefined filter: (\S+)$/

function asProblem(error: unknown, parsed?: ParsedText): LiquidProblem {
  if (error instanceof LiquidProblem) return error
  const { message, token } = error as Error & { token?: { begin: number; getPosition(): [number, number] } }
  const line = token ? (loopLine(parsed?.templates ?? [], token.begin) ?? token.getPosition()[0]) : null
  const said = message.replace(/, line:\d+, col:\d+$/, '')
  const filter = UNKNOWN_FILTER.exec(said)?.[1]
  const text = filter ? `there is no filter “${filter}”` : said
  return new LiquidProblem(
    filter ? 'unknown_filter' : findProblemCode(error),
    text.charAt(0).toUpperCase() + text.slice(1),
    line,
  )
}

/** Line of the innermost loop around a position, which is where its author has to look. */
function loopLine(templates: Template[], position: number): number | null {
  let line: number | null = null
  let level = templates
  while (level.length > 0) {
    const around = level.findLast((template) => template.token.begin <= position)
    if (!around) break
    const { name } = around.token as { name?: string }
    if (name === 'for' || name === 'tablerow')
      line = (around.token as unknown as { getPosition(): [number, number] }).getPosition()[0]
    level = around.children ? (toValueSync(around.children(false, true) as never) as Template[]) : []
  }
  return line
}
