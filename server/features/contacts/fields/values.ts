/** What the types of custom fields take. Pure. */
import type { FieldType } from '#contracts/contacts/fields.ts'

/** What decides about a value of a field. */
export interface FieldRule {
  type: FieldType
  choices: readonly string[]
}

export type FieldValue = string | number | boolean | null

const NUMBER = /^[+-]?\d{1,15}(\.\d{1,15})?$/
const DAY = /^(\d{4}-\d{2}-\d{2})(?:$|[T ])/
const YES = ['true', 'yes', '1']
const NO = ['false', 'no', '0']
/** So many choices are named in a refusal. */
const NAMED = 10

function readDay(text: string): string | undefined {
  const day = DAY.exec(text)?.[1]
  // A day that does not exist becomes another one, or none.
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`)
  return day !== undefined && !Number.isNaN(at) && new Date(at).toISOString().startsWith(day) ? day : undefined
}

/** A value as its field stores it; undefined where the type does not take it. Nothing is null, which removes the value. */
export function readFieldValue({ type, choices }: FieldRule, value: FieldValue): FieldValue | undefined {
  if (value === null || type === 'text') return value
  const text = String(value).trim()
  if (text === '') return null
  if (type === 'number') return NUMBER.test(text) ? Number(text) : typeof value === 'number' ? value : undefined
  if (type === 'date') return readDay(text)
  if (type === 'choice') return choices.find((choice) => choice.toLowerCase() === text.toLowerCase())
  if (YES.includes(text.toLowerCase())) return true
  return NO.includes(text.toLowerCase()) ? false : undefined
}

/** Why a value was not taken, as what follows its name. */
export function describeFault({ type, choices }: FieldRule): string {
  if (type === 'number') return 'is not a number'
  if (type === 'date') return 'is not a day such as 2026-01-31'
  if (type === 'boolean') return 'is not true or false'
  const more = choices.length > NAMED ? `, and ${choices.length - NAMED} more` : ''
  return `is none of the choices: ${choices.slice(0, NAMED).join(', ')}${more}`
}
