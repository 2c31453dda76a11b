/**
 * Liquid, bounded: no files, no prototypes, a counted number of steps, a capped memory and output.
 * Two engines with the same rules: values are escaped in HTML and left alone in text and subjects.
 */
import { Context, type Emitter, Liquid, type Template, Tokenizer, TokenKind, toValueSync } from 'liquidjs'
import type { Field, Problem } from './types.ts'

export type TextKind = 'html' | 'text'
export type Parsed = { kind: TextKind; source: string; templates: Template[] }
export type Scope = Record<string, unknown>

/** Characters of a template; larger ones are refused before anything is parsed. */
export const TEMPLATE_LIMIT = 1_000_000
const STEP_LIMIT = 100_000
const MEMORY_LIMIT = 10_000_000
const OUTPUT_LIMIT = 3_000_000

/** What may stand first in a merge field. */
export const FIELD_ROOTS = ['name', 'email', 'phone', 'attributes', 'unsubscribe_url', 'view_url']

export class LiquidProblem extends Error {
  line: number | null
  constructor(message: string, line: number | null) {
    super(message)
    this.line = line
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' }

/** Escapes a value for HTML text and quoted attributes. */
export function escapeHtml(value: unknown): string {
  const text = plainText(value)
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (char) => ENTITIES[char] as string) : text
}

/** How a value reads: nothing for null, undefined, objects and functions. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(plainText).join('')
  return typeof value === 'object' || typeof value === 'function' ? '' : String(value)
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

function createEngine(kind: TextKind): Liquid {
  const engine = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    relativeReference: false,
    dynamicPartials: false,
    strictFilters: true,
    parseLimit: TEMPLATE_LIMIT * 2,
    memoryLimit: MEMORY_LIMIT,
    timezoneOffset: 0,
    locale: 'en-US',
    ...(kind === 'html' ? { outputEscape: escapeHtml } : {}),
  })
  for (const tag of ['include', 'render', 'layout', 'block', 'extends']) {
    engine.registerTag(tag, {
      parse() {
        throw new Error(`{% ${tag} %} needs other files, and a template has none: put the content here instead`)
      },
      render() {},
    })
  }
  engine.registerFilter('postlark_url', urlValue)
  engine.registerFilter('postlark_href', hrefValue)
  return engine
}

const engines: Record<TextKind, Liquid> = { html: createEngine('html'), text: createEngine('text') }

/** Parses a template; throws LiquidProblem with the line in `source`. */
export function parseLiquid(source: string, kind: TextKind): Parsed {
  if (source.length > TEMPLATE_LIMIT) {
    const size = (source.length / 1_000_000).toFixed(1)
    throw new LiquidProblem(
      `This is ${size} million characters long; ${TEMPLATE_LIMIT / 1_000_000} million is the most`,
      null,
    )
  }
  try {
    return { kind, source, templates: engines[kind].parse(source) }
  } catch (error) {
    throw asProblem(error)
  }
}

/** Parses a template for its author: the parsed form, or what is wrong with it. */
export function parseTemplate(
  source: string,
  part: Problem['part'] = 'html',
): { parsed: Parsed | null; problems: Problem[] } {
  try {
    const parsed = parseLiquid(source, part === 'html' || part === 'mjml' ? 'html' : 'text')
    return { parsed, problems: unknownFields(findFields(parsed), part) }
  } catch (error) {
    const problem = asProblem(error)
    return { parsed: null, problems: [{ part, line: problem.line, message: problem.message, severity: 'error' }] }
  }
}

function unknownFields(fields: Field[], part: Problem['part']): Problem[] {
  return fields
    .filter((field) => !field.known)
    .map((field) => ({
      part,
      line: field.lines[0] ?? null,
      severity: 'error' as const,
      message: `There is no field {{ ${field.path} }}. Known are name, email, phone, attributes.…, unsubscribe_url and view_url`,
    }))
}

/** The merge fields a template reads, each with its lines; names it assigns itself are not among them. */
export function findFields(parsed: Parsed): Field[] {
  const fields = new Map<string, Field>()
  for (const variables of Object.values(
    engines[parsed.kind].analyzeSync(parsed.templates, { partials: false }).globals,
  )) {
    for (const variable of variables) {
      const path = variable.segments.map(String).join('.')
      const root = String(variable.segments[0])
      const field = fields.get(path) ?? { path, lines: [], known: FIELD_ROOTS.includes(root) }
      if (!field.lines.includes(variable.location.row)) field.lines.push(variable.location.row)
      fields.set(path, field)
    }
  }
  return [...fields.values()]
}

/** Names a template gives values to, by assign, capture, for or increment. */
export function localNames(parsed: Parsed): Set<string> {
  const names = new Set(Object.keys(engines[parsed.kind].analyzeSync(parsed.templates, { partials: false }).locals))
  for (const [, name] of parsed.source.matchAll(/\{%-?\s*(?:increment|decrement|cycle)\s+([\w-]+)/g))
    names.add(name as string)
  return names
}

class CappedOutput implements Emitter {
  buffer = ''
  write(html: unknown): void {
    this.buffer += plainText(html)
    if (this.buffer.length > OUTPUT_LIMIT) throw new Error('the template makes more than 3 million characters')
  }
}

/** Counts steps and not time, so that a busy machine never fails a message. */
class StepLimiter {
  private steps = 0
  use(): void {}
  check(): void {
    if (++this.steps > STEP_LIMIT)
      throw new Error(`this goes on for more than ${STEP_LIMIT.toLocaleString('en')} steps`)
  }
}

/** One recipient's rendering: assigned names last from one piece of the template to the next. */
export function renderContext(scope: Scope, kind: TextKind): Context {
  const limits = { renderLimit: new StepLimiter() as never }
  return new Context(scope, engines[kind].options, { sync: true }, limits)
}

/** Renders templates in a context; throws LiquidProblem naming the line. */
export function renderIn(context: Context, parsed: Parsed, templates: Template[] = parsed.templates): string {
  const output = new CappedOutput()
  try {
    toValueSync(engines[parsed.kind].renderer.renderTemplates(templates, context, output) as never)
    return output.buffer
  } catch (error) {
    throw asProblem(error, parsed)
  }
}

/** Renders a whole template. */
export function renderLiquid(parsed: Parsed, scope: Scope): string {
  return renderIn(renderContext(scope, parsed.kind), parsed)
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

/** What a plain text node says, with the spaces trimmed that its neighbours ask for. */
export function staticText({ token }: Template): string {
  return (token as unknown as { getContent(): string }).getContent()
}

function asProblem(error: unknown, parsed?: Parsed): LiquidProblem {
  if (error instanceof LiquidProblem) return error
  const { message, token } = error as Error & { token?: { begin: number; getPosition(): [number, number] } }
  const line = token ? (loopLine(parsed?.templates ?? [], token.begin) ?? token.getPosition()[0]) : null
  const text = message
    .replace(/,?\s*(?:file:.*?, )?line:\d+, col:\d+$/, '')
    .replace('Memory alloc limit exceeded', 'this builds up more data than a message can hold; is a loop too long?')
    .replace('parse length limit exceeded', 'this template is too long')
  return new LiquidProblem(text.charAt(0).toUpperCase() + text.slice(1), line)
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
