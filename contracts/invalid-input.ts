import { z } from 'zod'

/** What is wrong with one field: `message` is a predicate, such as "is required", to which a label gives its subject. */
export interface FieldProblem {
  field: string
  message: string
}

type RawIssue = z.core.$ZodRawIssue

const number = (value: number | bigint) => value.toLocaleString('en-US')
const count = (value: number | bigint, noun: string) =>
  `${number(value)} ${noun}${value === 1 || value === 1n ? '' : 's'}`

/** Names that read as another word in a sentence. */
const LABELS = new Map([['is', 'operator']])
/** Names that a customer reads in capitals. */
const CAPITALS = new Map(
  ['API', 'CSS', 'CSV', 'HTML', 'ID', 'IDs', 'MJML', 'URL', 'URLs', 'UTM'].map((word) => [word.toLowerCase(), word]),
)
const MAX_LABEL = 100

/** "limits.perSecond" as "Limits per second", "urls.3" as "URLs item 4". */
export function labelField(field: string): string {
  const words = field
    .slice(0, MAX_LABEL)
    .split('.')
    .flatMap((segment) =>
      /^\d+$/.test(segment)
        ? [`item ${Number(segment) + 1}`]
        : (LABELS.get(segment) ?? segment).replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[\s_]+/),
    )
    .map((word) => CAPITALS.get(word.toLowerCase()) ?? (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
  const text = words.join(' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The whole sentence of a predicate: "Name" and "is required" make "Name is required."; a message that is a sentence stays. */
export function toSentence(label: string, message: string): string {
  if (!/^[a-z]/.test(message)) return message
  return /[.?]$/.test(message) ? `${label} ${message}` : `${label} ${message}.`
}

/** The limits a number was declared with, which no single issue tells. */
function describeNumber(issue: RawIssue): string {
  const schema = (issue.schema ?? issue.inst) as Partial<z.ZodNumber> | undefined
  const bound = (value: number | null | undefined) =>
    typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined
  const [least, most] = [bound(schema?.minValue), bound(schema?.maxValue)]
  const noun = schema?.isInt || issue.expected === 'int' ? 'a whole number' : 'a number'
  if (least !== undefined && most !== undefined) return `must be ${noun} from ${number(least)} to ${number(most)}`
  if (issue.code === 'too_small' && !issue.inclusive) return `must be ${noun} greater than ${number(issue.minimum)}`
  if (issue.code === 'too_big' && !issue.inclusive) return `must be ${noun} less than ${number(issue.maximum)}`
  if (least !== undefined) return `must be ${noun} of at least ${number(least)}`
  if (most !== undefined) return `must be ${noun} of at most ${number(most)}`
  return `must be ${noun}`
}

const TYPES: Record<string, string> = {
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  set: 'a list',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  date: 'a date',
  bigint: 'a whole number',
  file: 'a file',
  null: 'null',
}

function describeType(issue: RawIssue & { code: 'invalid_type' }): string {
  if (issue.input === undefined) return 'is required'
  if (['number', 'int', 'nan'].includes(issue.expected)) return describeNumber(issue)
  const type = TYPES[issue.expected]
  return type ? `must be ${type}` : 'has a value that is not accepted'
}

const isNumber = (origin: string) => ['number', 'int', 'bigint'].includes(origin)
const isTime = (value: number | bigint) => new Date(Number(value)).toISOString()

function describeTooBig(issue: RawIssue & { code: 'too_big' }): string {
  const { origin, maximum } = issue
  if (isNumber(origin)) return describeNumber(issue)
  if (origin === 'date') return `must be at the latest ${isTime(maximum)}`
  if (issue.exact) return describeExact(origin, maximum)
  if (origin === 'string') return `is too long: at most ${count(maximum, 'character')}`
  if (origin === 'file') return `is too large: at most ${count(maximum, 'byte')}`
  return `must have at most ${count(maximum, 'item')}`
}

function describeTooSmall(issue: RawIssue & { code: 'too_small' }): string {
  const { origin, minimum } = issue
  if (isNumber(origin)) return describeNumber(issue)
  if (origin === 'date') return `must be at the earliest ${isTime(minimum)}`
  if (issue.exact) return describeExact(origin, minimum)
  if (origin === 'string')
    return issue.input === '' || Number(minimum) === 1
      ? 'is required'
      : `is too short: at least ${count(minimum, 'character')}`
  if (origin === 'file') return `is too small: at least ${count(minimum, 'byte')}`
  return `must have at least ${count(minimum, 'item')}`
}

const describeExact = (origin: string, size: number | bigint) =>
  `must have exactly ${count(size, origin === 'string' ? 'character' : origin === 'file' ? 'byte' : 'item')}`

/** What a text must be, with an example where its name does not tell how to write it. */
const FORMATS: Record<string, string> = {
  email: 'an email address',
  url: 'a web address such as https://example.com',
  uuid: 'a UUID',
  guid: 'a UUID',
  datetime: 'a time such as 2026-01-31T09:00:00Z',
  date: 'a date such as 2026-01-31',
  time: 'a time of day such as 09:00:00',
  duration: 'an ISO 8601 duration such as PT15M',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  cidrv4: 'an IPv4 range',
  cidrv6: 'an IPv6 range',
  base64: 'base64',
  base64url: 'base64url',
  json_string: 'JSON',
  e164: 'a phone number such as +4915112345678',
  jwt: 'a JSON Web Token',
}

function describeFormat(issue: RawIssue & { code: 'invalid_format' }): string {
  if (issue.input === '') return 'is required'
  const { format, prefix, suffix, includes } = issue as typeof issue & Record<'prefix' | 'suffix' | 'includes', string>
  if (format === 'starts_with') return `must start with “${prefix}”`
  if (format === 'ends_with') return `must end with “${suffix}”`
  if (format === 'includes') return `must contain “${includes}”`
  const form = FORMATS[format]
  return form ? `must be ${form}` : 'has an invalid format'
}

const MAX_OPTIONS = 20

function describeOptions(options: readonly unknown[]): string {
  // One that may be absent is among those of a union.
  const known = options.filter((option) => option !== undefined)
  const shown = known.slice(0, MAX_OPTIONS).map(String)
  if (shown.length === 1) return `must be ${shown[0]}`
  const more = known.length - shown.length
  return `must be one of ${shown.join(', ')}${more > 0 ? ` and ${number(more)} more` : ''}`
}

/** The predicate of an issue whose schema gives no message of its own. */
function describeIssue(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return describeType(issue)
    case 'too_big':
      return describeTooBig(issue)
    case 'too_small':
      return describeTooSmall(issue)
    case 'invalid_format':
      return describeFormat(issue)
    case 'invalid_value':
      return issue.input === undefined || issue.input === '' ? 'is required' : describeOptions(issue.values)
    case 'not_multiple_of':
      return `must be a multiple of ${number(issue.divisor)}`
    case 'unrecognized_keys':
      return 'is not a known field'
    case 'invalid_key':
      return 'has a name that is not accepted'
    case 'invalid_element':
      return 'has an item that is not accepted'
    case 'invalid_union':
      if (issue.input === undefined) return 'is required'
      return Array.isArray(issue.options) ? describeOptions(issue.options) : 'has a value that is not accepted'
    default:
      return 'is invalid'
  }
}

// Every schema of the product gets these words, in the browser and on the server: zod's own are for programmers.
z.config({ localeError: describeIssue })

/** The variant of a union that the value was meant to be: the only one of its type. */
function findVariant(variants: z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  const isOfType = (issues: z.core.$ZodIssue[]) =>
    issues.every(({ path, code }) => path.length > 0 || (code !== 'invalid_type' && code !== 'invalid_value'))
  const fitting = variants.filter(isOfType)
  return fitting.length === 1 ? fitting[0] : undefined
}

function expand(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code === 'invalid_union') {
    const variant = findVariant(issue.errors)
    if (variant) return variant.flatMap((inner) => expand({ ...inner, path: [...issue.path, ...inner.path] }))
  }
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ ...issue, path: [...issue.path, key] }))
  return [issue]
}

/** Each wrong field of an input that its schema refused; a field that is empty is missing, whatever rule it broke. */
export function findProblems(error: z.core.$ZodError, input: unknown): FieldProblem[] {
  return error.issues.flatMap(expand).map(({ path, code, message }) => {
    const value = path.reduce<unknown>(
      (at, key) => (at as Record<PropertyKey, unknown> | undefined | null)?.[key],
      input,
    )
    const isAboutName = code === 'unrecognized_keys' || code === 'invalid_key'
    const isMissing = value === '' && path.length > 0 && !isAboutName
    return { field: path.join('.'), message: isMissing ? 'is required' : message }
  })
}
