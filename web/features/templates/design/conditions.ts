/** What a field is compared by. */
export type Comparison = 'is' | 'isNot' | 'contains' | 'exists' | 'isEmpty'

/** When something is shown: `field` is a path as Liquid has it, such as attributes.city. */
export interface Condition {
  field: string
  comparison: Comparison
  value: string
}

export const COMPARISONS: { value: Comparison; label: string }[] = [
  { value: 'is', label: 'is' },
  { value: 'isNot', label: 'is not' },
  { value: 'contains', label: 'contains' },
  { value: 'exists', label: 'has a value' },
  { value: 'isEmpty', label: 'is empty' },
]

/** Whether a comparison needs something to compare with. */
export const needsValue = (comparison: Comparison): boolean => comparison !== 'exists' && comparison !== 'isEmpty'

/** Why a value cannot be compared with; undefined where it can. Liquid's quotes cannot be escaped. */
export function valueProblem(value: string): string | undefined {
  if (value.includes('"') && value.includes("'")) return 'Use either single or double quotation marks, not both.'
  if (/\{\{|\{%|%\}|\}\}|<|[\r\n]/.test(value)) return 'Can’t contain {{, {%, < or line breaks.'
  return undefined
}

/** The condition as Liquid, without its tag. The value must have no valueProblem. */
export function toLiquid({ field, comparison, value }: Condition): string {
  if (comparison === 'exists') return `${field} != blank`
  if (comparison === 'isEmpty') return `${field} == blank`
  const text = value.includes('"') ? `'${value}'` : `"${value}"`
  if (comparison === 'contains') return `${field} contains ${text}`
  const [sign, word] = comparison === 'is' ? ['==', 'or'] : ['!=', 'and']
  // A number that came in as one is not equal to its digits.
  const bare = /^(?:-?\d{1,15}(?:\.\d{1,6})?|true|false)$/.test(value)
  return `${field} ${sign} ${text}${bare ? ` ${word} ${field} ${sign} ${value}` : ''}`
}

const WRITTEN =
  /^(name|email|phone|attributes(?:\.[\p{L}_][\p{L}\p{N}_]*|\["[^"]*"\]))\s*(==|!=|contains)\s*(blank|"[^"]*"|'[^']*')([\s\S]*)$/u

/** A condition that can be changed in the panel; nothing for one that was written by hand and says more. */
export function readCondition(liquid: string): Condition | undefined {
  const [, field, sign, text, rest] = WRITTEN.exec(liquid.trim()) ?? []
  if (field === undefined || text === undefined) return undefined
  const read: Condition =
    text === 'blank'
      ? { field, comparison: sign === '==' ? 'isEmpty' : 'exists', value: '' }
      : {
          field,
          comparison: sign === 'contains' ? 'contains' : sign === '==' ? 'is' : 'isNot',
          value: text.slice(1, -1),
        }
  const isWhole = rest?.trim() === '' || toLiquid(read) === liquid.trim()
  return isWhole && !(text === 'blank' && sign === 'contains') ? read : undefined
}
