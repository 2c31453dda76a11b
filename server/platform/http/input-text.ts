/** What is wrong with the text of an input: the field it is in, as `attributes.company`; empty for the input itself. */
export interface TextProblem {
  field: string
  message: string
}

/** No input of ours is nested deeper; what is would overflow the stack of those who walk it by recursion. */
const MAX_DEPTH = 64

interface InputPlace {
  value: unknown
  key: string
  depth: number
  parent: InputPlace | undefined
}

/** The field's name as it may be shown: at most three levels, each short and without the characters complained of. */
function toFieldName(place: InputPlace): string {
  const keys: string[] = []
  for (let at: InputPlace | undefined = place; at?.parent; at = at.parent) keys.push(at.key)
  return keys
    .reverse()
    .slice(0, 3)
    .map((key) => key.slice(0, 100).toWellFormed().replaceAll('\u0000', '\ufffd'))
    .join('.')
}

const isBad = (text: string) => text.includes('\u0000') || !text.isWellFormed()

/**
 * Finds what PostgreSQL cannot store in any text of an input, names of fields included: NUL, and half of a surrogate pair,
 * which JSON can write (`"\ud800"`) and UTF-8 cannot. Also finds input that is nested too deeply. Undefined: all is well.
 */
export function findTextProblem(input: unknown): TextProblem | undefined {
  const places: InputPlace[] = [{ value: input, key: '', depth: 0, parent: undefined }]
  for (let place = places.pop(); place; place = places.pop()) {
    const { value, key, depth } = place
    if (isBad(key) || (typeof value === 'string' && isBad(value)))
      return { field: toFieldName(place), message: 'contains a character that cannot be stored' }
    if (value === null || typeof value !== 'object') continue
    if (depth >= MAX_DEPTH) return { field: toFieldName(place), message: 'is nested too deeply' }
    for (const [key, item] of Object.entries(value)) places.push({ value: item, key, depth: depth + 1, parent: place })
  }
  return undefined
}
