import { wrong } from './refusal.ts'

export type Value = string | Value[] | Form
export interface Form {
  [name: string]: Value
}

const DEPTH = 8
const SAFE = /^[a-z0-9_]+$/i

/** Decodes Stripe's form bodies: `items[0][price]=x` -> { items: [{ price: 'x' }] }, `expand[]=a` -> { expand: ['a'] }. */
export function decodeForm(text: string): Form {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.split(/\[|\]\[|\]/).filter((key, i) => i === 0 || key !== '' || name.includes('[]'))
    while (keys.length > 1 && keys.at(-1) === '' && !name.endsWith('[]')) keys.pop()
    if (keys.length > DEPTH || keys.some((key) => key !== '' && (!SAFE.test(key) || key === '__proto__')))
      throw wrong(`Invalid parameter name: ${name}`)
    place(form, name.endsWith('[]') ? [...keys.filter((key) => key !== ''), ''] : keys, value)
  }
  return Object.fromEntries(Object.entries(form).map(([key, value]) => [key, listed(value)]))
}

function place(form: Form, [key = '', ...rest]: string[], value: string): void {
  const name = key === '' ? String(Object.keys(form).length) : key
  if (rest.length === 0) {
    form[name] = value
    return
  }
  const inner = Object.hasOwn(form, name) ? form[name] : undefined
  const next = typeof inner === 'object' && !Array.isArray(inner) ? inner : {}
  form[name] = next
  place(next, rest, value)
}

/** Objects whose keys are 0, 1, 2 … are lists. */
function listed(value: Value): Value {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, listed(inner)] as const)
  if (entries.length > 0 && entries.every(([key], i) => key === String(i))) return entries.map(([, inner]) => inner)
  return Object.fromEntries(entries)
}

const isForm = (value: Value | undefined): value is Form => typeof value === 'object' && !Array.isArray(value)

/** The parameters of one call, with a refusal for each that is missing or unknown. */
export class Params {
  readonly form: Form
  constructor(form: Form, known: string[]) {
    this.form = form
    const unknown = Object.keys(form).find((name) => !known.includes(name) && name !== 'expand')
    if (unknown) throw wrong(`Received unknown parameter: ${unknown}`, unknown, 'parameter_unknown')
  }

  text(name: string): string | undefined {
    const value = this.form[name]
    return typeof value === 'string' ? value : undefined
  }

  need(name: string): string {
    const value = this.text(name)
    if (!value) throw wrong(`Missing required param: ${name}.`, name, 'parameter_missing')
    return value
  }

  number(name: string): number | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    if (!/^-?\d+(\.\d+)?$/.test(value)) throw wrong(`Invalid number: ${value}`, name, 'parameter_invalid_integer')
    return Number(value)
  }

  flag(name: string): boolean | undefined {
    const value = this.text(name)
    return value === undefined ? undefined : value === 'true'
  }

  inner(name: string): Form {
    const value = this.form[name]
    return isForm(value) ? value : {}
  }

  list(name: string): Form[] {
    const value = this.form[name]
    return Array.isArray(value) ? value.filter(isForm) : []
  }

  texts(name: string): string[] {
    const value = this.form[name]
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
  }

  metadata(): Record<string, string> {
    return textFields(this.inner('metadata'))
  }
}

/** The texts of a form, nothing nested. */
export const textFields = (form: Form): Record<string, string> =>
  Object.fromEntries(Object.entries(form).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
