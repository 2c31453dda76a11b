/**
 * LiquidJS with everything bounded: which filters there are, and a price on each thing a template can do. What a tag costs
 * by itself is at most the length of its source; what its values cost is charged where they are read, compared and written.
 */
import {
  CaptureTag,
  CaseTag,
  Context,
  CycleTag,
  defaultOperators,
  type Emitter,
  ForTag,
  IfTag,
  Liquid,
  Parser,
  TablerowTag,
  type Template,
  type Token,
  TokenKind,
  toValue,
  UnlessTag,
} from 'liquidjs'
import { LiquidFault } from './liquid-fault.ts'
import { boundFilters, chargedEscape } from './liquid-filters.ts'
import { WatchedToken } from './liquid-tokens.ts'
import { ITEM, measureSize, Steps, searchCost, type Work } from './work.ts'

/** A lookup of a name or a property. */
const LOOKUP = 20
const BRANCH = 20
/** A character of a tag's source: two of them may be a value to look up. */
const CHARACTER = 4
const OUTPUT_LIMIT = 3_000_000

type Operator = (left: unknown, right: unknown, context: BoundedContext) => Iterator<unknown>

const compared: Operator = function* (left, right, context) {
  context.memoryLimit.use(LOOKUP + Math.min(measureSize(yield toValue(left)), measureSize(yield toValue(right))))
}
const searched: Operator = function* (left, right, context) {
  const [text, pattern] = [yield toValue(left), yield toValue(right)]
  // An array is compared with the value item by item.
  const each = Array.isArray(text) ? text.length * Math.min(measureSize(pattern), ITEM) : 0
  context.memoryLimit.use(
    Array.isArray(text) ? measureSize(text) + each : LOOKUP + searchCost(measureSize(text), measureSize(pattern)),
  )
}

function chargedOperators() {
  const operators: Record<string, Operator> = { ...(defaultOperators as unknown as Record<string, Operator>) }
  for (const name of ['==', '!=', '<', '>', '<=', '>=', 'contains']) {
    const apply = operators[name] as Operator
    const charge = name === 'contains' ? searched : compared
    operators[name] = function* (left, right, context) {
      yield charge(left, right, context)
      return yield apply(left, right, context)
    }
  }
  return operators as never
}

const operators = chargedOperators()

/** Liquid without files, prototypes and unbounded filters, with `own` ones; `escapeOutput` is applied to what outputs write. */
export function createEngine(
  escapeOutput: ((value: unknown) => string) | null,
  own: Record<string, (value: unknown) => string>,
): Liquid {
  const engine = new Liquid({
    templates: {},
    ownPropertyOnly: true,
    relativeReference: false,
    dynamicPartials: false,
    strictFilters: true,
    timezoneOffset: 0,
    locale: 'en-US',
    operators,
    ...(escapeOutput ? { outputEscape: chargedEscape(escapeOutput) as never } : {}),
  })
  for (const tag of ['include', 'render', 'layout', 'block', 'extends']) {
    engine.registerTag(tag, {
      parse() {
        throw new LiquidFault(
          'include',
          `{% ${tag} %} needs other files, and a template has none: put the content here instead`,
        )
      },
      render() {},
    })
  }
  for (const [name, filter] of Object.entries(own)) engine.registerFilter(name, filter)
  boundFilters(engine)
  return engine
}

/** LiquidJS takes tokens from the front of an array, which costs its length each time. */
class TokenQueue<T> {
  readonly #tokens: T[]
  #next = 0
  constructor(tokens: T[]) {
    this.#tokens = tokens
  }
  get length(): number {
    return this.#tokens.length - this.#next
  }
  shift(): T | undefined {
    return this.#tokens[this.#next++]
  }
}

class BoundedParser extends Parser {
  readonly #engine: Liquid
  constructor(engine: Liquid) {
    super(engine)
    this.#engine = engine
  }
  override parseTokens(tokens: never[]): Template[] {
    return super.parseTokens(new TokenQueue(tokens) as never)
  }
  override parseToken(...args: Parameters<Parser['parseToken']>): ReturnType<Parser['parseToken']> {
    const node = super.parseToken(...args)
    if (node.token.kind !== TokenKind.HTML) bound(node as never, this.#engine)
    return node
  }
}

/** Parses a template; what comes out charges the context it is rendered in. */
export function parseBounded(engine: Liquid, source: string): Template[] {
  return new BoundedParser(engine).parse(source)
}

type Render = (context: BoundedContext, emitter: Emitter) => unknown
type Bounded = Omit<Template, 'render'> & { render: Render }
type Branch = { values?: unknown[]; value?: { initial: { postfix: unknown[] } } }

function bound(node: Bounded, engine: Liquid): void {
  if (node instanceof ForTag || node instanceof TablerowTag) chargeCollection(node)
  if (node instanceof CycleTag) chargeGroup(node as never)
  if (node instanceof CaptureTag) return captureInto(node as never, engine)
  const run = node.render
  const price = priceNode(node)
  const target = node instanceof CaseTag ? (node as unknown as CaseParts) : null
  node.render = (context, emitter) => {
    context.memoryLimit.use(price)
    return target ? renderCase(target, context, emitter, run) : run.call(node, context, emitter)
  }
}

/** What it costs to run a tag or output once, apart from its values and what stands inside it. */
function priceNode(node: Bounded): number {
  const branches = (node as unknown as { branches?: Branch[] }).branches ?? []
  const parts = branches.reduce(
    (sum, { values, value }) => sum + BRANCH * (1 + (values?.length ?? value?.initial.postfix.length ?? 0)),
    0,
  )
  const isBranched = node instanceof IfTag || node instanceof UnlessTag || node instanceof CaseTag
  const own = CHARACTER * (node.token.end - node.token.begin)
  return own + (isBranched ? parts : 0)
}

type CaseParts = { value: { value(context: unknown, lenient: boolean): Iterator<unknown> }; branches: Branch[] }

/** A case compares its value with one branch after the other. */
function* renderCase(
  node: CaseParts,
  context: BoundedContext,
  emitter: Emitter,
  run: Render,
): Generator<unknown, unknown, unknown> {
  const size = measureSize(toValue((yield node.value.value(context, false)) as never))
  for (const { values = [] } of node.branches) context.memoryLimit.use(size * values.length)
  return yield run.call(node, context, emitter)
}

type CaptureParts = Bounded & { templates: Template[]; variable: string }

/** What is captured counts like what is written. */
function captureInto(node: CaptureParts, engine: Liquid): void {
  node.render = function* (context) {
    const output = new CappedOutput(context.memoryLimit)
    yield engine.renderer.renderTemplates(node.templates, context as never, output)
    ;(context.bottom() as Record<string, unknown>)[node.variable] = output.buffer
  }
}

/** A loop copies its collection when it begins. */
function chargeCollection(node: ForTag | TablerowTag): void {
  const named = [...node.arguments()]
  node.arguments = function* () {
    yield* named
  }
  node.collection = new WatchedToken<BoundedContext>(node.collection as Token, (value, { memoryLimit }) => {
    const isCounted = Array.isArray(value)
    memoryLimit.use(isCounted ? value.length : measureSize(value))
  }) as never
}

/** A cycle is looked up by the value of its group. */
function chargeGroup(node: { group?: Token; arguments(): Iterable<unknown> }): void {
  if (!node.group) return
  const named = [...node.arguments()]
  node.arguments = () => named
  node.group = new WatchedToken<BoundedContext>(node.group, (value, { memoryLimit }) =>
    memoryLimit.use(measureSize(toValue(value as never))),
  )
}

type OpenContext = {
  memoryLimit: Work
  scopes: object[]
  bottom(): object
  findScope(key: unknown): object
  readProperty(from: unknown, key: unknown): unknown
}
const OpenContext = Context as unknown as new (...args: unknown[]) => OpenContext

/** Where one recipient's rendering keeps its names, its steps and what it may still spend. */
export class BoundedContext extends OpenContext {
  constructor(scope: object, engine: Liquid, work: Work) {
    super(scope, engine.options, { sync: true }, { memoryLimit: work, renderLimit: new Steps(), liquid: engine })
  }
  override findScope(key: unknown): object {
    this.memoryLimit.use(this.scopes.length)
    return super.findScope(key)
  }
  override readProperty(from: unknown, key: unknown): unknown {
    this.memoryLimit.use(LOOKUP + (typeof key === 'string' ? key.length : 8))
    // The size of an object is the number of its keys, which are counted each time.
    if (key === 'size' && typeof from === 'object' && from !== null && !Array.isArray(from))
      this.memoryLimit.use(ITEM * Object.keys(from).length)
    return super.readProperty(from, key)
  }
}

/** Collects what is written, which counts as work too. */
export class CappedOutput implements Emitter {
  buffer = ''
  readonly #work: Work
  constructor(work: Work) {
    this.#work = work
  }
  write(value: unknown): void {
    this.#work.use(typeof value === 'string' ? value.length : measureSize(value))
    this.buffer += plainText(value)
    if (this.buffer.length > OUTPUT_LIMIT)
      throw new LiquidFault('too_much_work', 'the template makes more than 3 million characters')
  }
}

/** How a value reads: nothing for null, undefined, objects and functions. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(plainText).join('')
  return typeof value === 'object' || typeof value === 'function' ? '' : String(value)
}
