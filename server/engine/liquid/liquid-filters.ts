/** The filters a template may use. Each is charged before it runs, for what it reads and for what it may cost. */
import type { Liquid } from 'liquidjs'
import { measureSize, searchCost, type Work } from './work.ts'

type Cost = (value: unknown, args: unknown[]) => number

/** A call itself: its arguments, its generator. */
const CALL = 20
/** Formatting one part of a date asks the internationalization library. */
const DATE_PART = 5_000

const sizes = (values: unknown[]) => values.reduce<number>((sum, value) => sum + measureSize(value), 0)
const times =
  (factor: number): Cost =>
  (value, args) =>
    factor * (measureSize(value) + sizes(args))
const linear = times(1)
const encoding = times(4)
const search: Cost = (value, [pattern, ...others]) =>
  searchCost(measureSize(value), measureSize(pattern)) + sizes(others)
const sorting: Cost = (value, args) => {
  const count = Array.isArray(value) ? value.length : 1
  return (measureSize(value) + count * sizes(args)) * Math.ceil(Math.log2(count + 2))
}
const date: Cost = (value, args) =>
  DATE_PART * (3 + String(args[0] ?? '').split('%').length) + measureSize(value) + sizes(args)

// Excluded: whatever evaluates an expression or walks into elements (has_exp, find, where, map, search ...). A contact's
// attributes are flat, so an email has no use for them, and their cost could not be told beforehand.
const COSTS: Record<string, Cost> = {
  ...named(linear, 'default raw abs at_least at_most ceil divided_by floor minus plus modulo times round to_integer'),
  ...named(linear, 'append prepend lstrip rstrip strip downcase upcase capitalize strip_newlines squish'),
  ...named(
    linear,
    'truncate truncatewords normalize_whitespace newline_to_br strip_html escape escape_once xml_escape',
  ),
  ...named(linear, 'join first last size slice reverse compact concat uniq sum array_to_sentence_string'),
  ...named(encoding, 'url_encode url_decode cgi_escape uri_escape slugify number_of_words json jsonify'),
  ...named(encoding, 'base64_encode base64_decode sha256 hmac_sha256 postlark_url postlark_href'),
  ...named(search, 'replace replace_first replace_last remove remove_first remove_last split'),
  ...named(sorting, 'sort sort_natural'),
  ...named(date, 'date date_to_xmlschema date_to_rfc822 date_to_string date_to_long_string'),
}

function named(cost: Cost, names: string): Record<string, Cost> {
  return Object.fromEntries(names.split(' ').map((name) => [name, cost]))
}

type Handler = (this: { context: { memoryLimit: Work } }, value: unknown, ...args: unknown[]) => unknown
type Filters = Record<string, Handler | { handler: Handler; raw: boolean }>

/** Takes away the filters that are not on the list and has the others charge the rendering they run in. */
export function boundFilters(engine: Liquid): void {
  const filters = (engine as unknown as { filters: Filters }).filters
  for (const [name, filter] of Object.entries(filters)) {
    const cost = COSTS[name]
    if (!cost) engine.unregisterFilter(name)
    else if (typeof filter === 'function') filters[name] = charged(filter, cost)
  }
}

/** A filter of ours or LiquidJS's that pays `cost` before it begins. */
function charged(filter: Handler, cost: Cost): Handler {
  return function (value, ...args) {
    this.context.memoryLimit.use(CALL + cost(value, args))
    return filter.call(this, value, ...args)
  }
}

/** The names of the filters there are. */
export const FILTER_NAMES = Object.keys(COSTS)

/** The escaping of an output, charged like a filter. */
export const chargedEscape = (escapeOutput: (value: unknown) => string): Handler => charged(escapeOutput, linear)
