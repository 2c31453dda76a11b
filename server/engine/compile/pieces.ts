/** A body part cut at its merge fields: encoded static pieces with the values between them. */
import type { Template } from 'liquidjs'
import {
  CONTACT_ROOTS,
  escapeHtml,
  findFields,
  LiquidProblem,
  localNames,
  type ParsedText,
  parseLiquid,
  renderContext,
  renderIn,
  renderLiquid,
  staticText,
  type TextKind,
  tagSource,
  urlValue,
} from '../liquid/liquid.ts'
import { plainText } from '../liquid/liquid-engine.ts'
import { findProblemCode } from '../liquid/liquid-fault.ts'
import { Work } from '../liquid/work.ts'
import type { Plan, Recipient, TokenPurpose, Tokens, TokenWanted } from '../types.ts'
import { originPiece, pixelTag } from './document.ts'
import { contactScope, LINK_FIELD, namePart, ORIGIN_FIELD, PIXEL_FIELD, shortened } from './links.ts'
import { encodeQp, encodeValue, endColumn } from './qp.ts'

type TokenValue = { kind: 'token'; purpose: TokenPurpose; link: number }
type FieldValue = {
  kind: 'field'
  root: 'name' | 'first_name' | 'last_name' | 'email' | 'phone' | 'attributes'
  key: string
  fallback: string | null
  url: boolean
}
type OriginValue = { kind: 'origin' }
type LiquidValue = { kind: 'liquid'; templates: Template[] }
type Value = TokenValue | FieldValue | OriginValue | LiquidValue

export type PreparedPart = {
  parsed: ParsedText
  /** One more than values; quoted-printable. */
  statics: string[]
  /** Column at which each value stands. */
  columns: number[]
  values: Value[]
  /** Numbers of links inside tags, which Liquid itself has to fill in. */
  nestedLinks: number[]
  needsLiquid: boolean
}

/** What one message is made from. */
export type Run = { plan: Plan; recipient: Recipient; token(purpose: TokenPurpose, link?: number): string }

/** The tokens of a plan that are the same in every message; undefined: a purpose needs the recipient's own. */
export type SharedTokens = (purpose: TokenPurpose, link: number) => string | undefined

const SHARED: Partial<Record<TokenPurpose, TokenPurpose>> = {
  open: 'campaign_open',
  click: 'campaign_click',
  view: 'campaign_view',
}

/** Those of a plan whose opens and clicks are counted in total, each signed once; of other plans none are shared. */
export function shareTokens({ totalsFor }: Plan, tokens: Tokens): SharedTokens {
  if (totalsFor === undefined) return () => undefined
  const signed = new Map<string, string>()
  return (purpose, link) => {
    const shared = SHARED[purpose]
    if (!shared) return undefined
    const known = signed.get(`${purpose} ${link}`) ?? tokens.sign(shared, totalsFor, link)
    signed.set(`${purpose} ${link}`, known)
    return known
  }
}

/** Starts a message. Those tokens it surely needs are signed at once; each is signed once, however often it stands in the message. */
export function startRun(
  {
    plan,
    tokens,
    needed,
    shared,
  }: { plan: Plan; tokens: Tokens; needed: readonly TokenWanted[]; shared: SharedTokens },
  recipient: Recipient,
): Run {
  const clicks: string[] = []
  const others: Partial<Record<TokenPurpose, string>> = {}
  const note = (purpose: TokenPurpose, link: number, token: string): string => {
    if (purpose === 'click') clicks[link] = token
    else others[purpose] = token
    return token
  }
  const signed = tokens.signAll(recipient.id, needed)
  for (let i = 0; i < needed.length; i++) {
    const { purpose, link = 0 } = needed[i] as TokenWanted
    note(purpose, link, signed[i] as string)
  }
  return {
    plan,
    recipient,
    token: (purpose, link = 0) =>
      shared(purpose, link) ??
      (purpose === 'click' ? clicks[link] : others[purpose]) ??
      note(purpose, link, tokens.sign(purpose, recipient.id, link)),
  }
}

/** The recipient's tokens of every message: those of its header and those that stand in its parts, each once. */
export function neededTokens(parts: readonly PreparedPart[], shared: SharedTokens): TokenWanted[] {
  const needed = new Map<string, TokenWanted>(
    (['message', 'unsubscribe'] as const).map((purpose) => [`${purpose} 0`, { purpose }]),
  )
  for (const value of parts.flatMap(({ values }) => values))
    if (value.kind === 'token' && shared(value.purpose, value.link) === undefined)
      needed.set(`${value.purpose} ${value.link}`, { purpose: value.purpose, link: value.link })
  return [...needed.values()]
}

const SPECIAL =
  /^\{\{-?\s*(unsubscribe_url|preferences_url|view_url|postlark_pixel|postlark_origin|postlark_link_(\d+))\s*(?:\|\s*raw\s*)?-?\}\}$/
const FIELD =
  /^\{\{-?\s*(?:(name|first_name|last_name|email|phone)|attributes\.(?!(?:size|first|last)\b)([A-Za-z_]\w*))\s*(?:\|\s*default:\s*("[^"\\]*"|'[^'\\]*')\s*)?(\|\s*postlark_url\s*)?-?\}\}$/

/** A template cut at its top-level fields and tags: texts, one more than values, with the values between them. */
function cut(plan: Plan, parsed: ParsedText): { texts: string[]; values: Value[] } {
  const plainFields = isPlain(parsed)
  const texts = ['']
  const values: Value[] = []
  const add = (value: Value, before = '', after = '') => {
    texts[texts.length - 1] += before
    values.push(value)
    texts.push(after)
  }
  for (const template of parsed.templates) {
    const tag = tagSource(template)
    const special = tag === null ? null : SPECIAL.exec(tag)
    const field = tag !== null && plainFields ? FIELD.exec(tag) : null
    const last = values.at(-1)
    if (tag === null) texts[texts.length - 1] += staticText(template)
    else if (special) addSpecial(add, plan.publicUrl, special)
    else if (field) add(fieldValue(field))
    // Neighboring tags render as one value.
    else if (last?.kind === 'liquid' && texts.at(-1) === '') last.templates.push(template)
    else add({ kind: 'liquid', templates: [template] })
  }
  return { texts, values }
}

/** Cuts a part at its top-level fields and tags and encodes what lies between. */
export function preparePart(plan: Plan, source: string, kind: TextKind): PreparedPart {
  const parsed = parseLiquid(source, kind)
  const { texts, values } = cut(plan, parsed)
  const statics = texts.map((text, i) => encodeQp(text, i === values.length))
  return {
    parsed,
    statics,
    columns: statics.map(endColumn),
    values,
    nestedLinks: linksInTags(parsed),
    needsLiquid: values.some((value) => value.kind === 'liquid'),
  }
}

/** A subject for one person, before it is a header. Throws LiquidProblem. */
export type RenderSubject = (recipient: Recipient) => string

/** One of plain fields is filled in directly: Liquid takes ten times as long, for every message. Throws LiquidProblem. */
export function prepareSubject(plan: Plan): RenderSubject {
  const parsed = parseLiquid(plan.subject, 'text')
  const { texts, values } = cut(plan, parsed)
  const fields = values.filter((value) => value.kind === 'field')
  if (fields.length < values.length) return (recipient) => renderLiquid(parsed, contactScope(recipient))
  return (recipient) => {
    const work = new Work()
    return fields.reduce(
      (text, field, i) => text + charged(work, fieldText(field, recipient, 'text')) + texts[i + 1],
      texts[0] as string,
    )
  }
}

function linksInTags(parsed: ParsedText): number[] {
  return findFields(parsed)
    .filter((field) => field.path.startsWith(LINK_FIELD))
    .map((field) => Number(field.path.slice(LINK_FIELD.length)))
}

function addSpecial(
  add: (value: Value, before?: string, after?: string) => void,
  publicUrl: string,
  special: RegExpExecArray,
): void {
  const [, name, link] = special
  if (link) add({ kind: 'token', purpose: 'click', link: Number(link) }, `${publicUrl}/t/c/`)
  else if (name === 'unsubscribe_url') add({ kind: 'token', purpose: 'unsubscribe', link: 0 }, `${publicUrl}/u/`)
  else if (name === 'preferences_url') add({ kind: 'token', purpose: 'preferences', link: 0 }, `${publicUrl}/p/`)
  else if (name === ORIGIN_FIELD) add({ kind: 'origin' })
  else if (name === 'view_url') add({ kind: 'token', purpose: 'view', link: 0 }, `${publicUrl}/v/`)
  else {
    const [before, after] = pixelTag('\0').split('\0') as [string, string]
    add({ kind: 'token', purpose: 'open', link: 0 }, `${before}${publicUrl}/t/o/`, after)
  }
}

/** True when a field's name always means the contact's. */
function isPlain(parsed: ParsedText): boolean {
  const locals = localNames(parsed)
  return !CONTACT_ROOTS.some((name) => locals.has(name))
}

function fieldValue([, root, key, fallback, url]: RegExpExecArray): FieldValue {
  return {
    kind: 'field',
    root: (root as FieldValue['root'] | undefined) ?? 'attributes',
    key: key ?? '',
    fallback: fallback === undefined ? null : fallback.slice(1, -1),
    url: url !== undefined,
  }
}

/** A part for one person, quoted-printable. Throws LiquidProblem. */
export function renderPart(part: PreparedPart, run: Run): string {
  const work = new Work()
  const context = part.needsLiquid ? renderContext(liquidScope(part, run), part.parsed.kind, work) : null
  let out = part.statics[0] as string
  for (let i = 0; i < part.values.length; i++) {
    const value = part.values[i] as Value
    let text: string
    if (value.kind === 'token') text = run.token(value.purpose, value.link)
    else if (value.kind === 'origin') text = originPiece(run.recipient, part.parsed.kind)
    else if (value.kind === 'field') text = charged(work, fieldText(value, run.recipient, part.parsed.kind))
    else text = renderIn(context as never, part.parsed, value.templates)
    out += encodeValue(text, part.columns[i] as number) + part.statics[i + 1]
  }
  return out
}

/** Text of a field rendered directly counts like text that Liquid writes. Throws LiquidProblem. */
function charged(work: Work, text: string): string {
  try {
    work.use(text.length)
    return text
  } catch (error) {
    throw new LiquidProblem(findProblemCode(error), (error as Error).message, null)
  }
}

function fieldText(field: FieldValue, recipient: Recipient, kind: TextKind): string {
  const value =
    field.root === 'attributes'
      ? recipient.attributes && Object.hasOwn(recipient.attributes, field.key)
        ? shortened(recipient.attributes[field.key])
        : null
      : field.root === 'first_name' || field.root === 'last_name'
        ? namePart(recipient, field.root)
        : recipient[field.root]
  const missing = value === null || value === undefined || value === '' || value === false
  const shown = missing && field.fallback !== null ? field.fallback : value
  const text = field.url ? urlValue(shown) : plainText(shown)
  return kind === 'html' ? escapeHtml(text) : text
}

function liquidScope(part: PreparedPart, { plan, recipient, token }: Run): Record<string, unknown> {
  const base = plan.publicUrl
  const scope: Record<string, unknown> = {
    ...contactScope(recipient),
    unsubscribe_url: `${base}/u/${token('unsubscribe')}`,
    preferences_url: `${base}/p/${token('preferences')}`,
    view_url: `${base}/v/${token('view')}`,
  }
  scope[ORIGIN_FIELD] = originPiece(recipient, part.parsed.kind)
  if (plan.trackOpens) scope[PIXEL_FIELD] = pixelTag(`${base}/t/o/${token('open')}`)
  for (const number of part.nestedLinks) scope[LINK_FIELD + number] = `${base}/t/c/${token('click', number)}`
  return scope
}
