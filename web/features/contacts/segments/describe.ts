/** A filter as a sentence reads it. */
import { ATTRIBUTE, type Condition, type ContactFilter, isGroup } from '#contracts/contacts/conditions.ts'
import { findChoices, findValueKind, labelField, labelOperators } from './labels.ts'

/** The names behind ids. Fields are named by their label. */
export interface FilterNames {
  list: (id: string) => string
  tag: (id: string) => string
  field: (name: string) => string
}

/** The most conditions that are spelled out. */
const SHOWN = 3

function describeValue({ field, is, value }: Condition, names: FilterNames): string {
  const kind = findValueKind(field, is)
  const text = String(value ?? '')
  if (kind === 'none' || kind === 'campaign') return ''
  if (kind === 'days') return `${text} ${text === '1' ? 'day' : 'days'}`
  if (kind === 'list' || kind === 'tag') return names[kind](text)
  return findChoices(field).find((choice) => choice.value === text)?.label ?? text
}

function describeCondition(condition: Condition, names: FilterNames): string {
  const { field, is } = condition
  const name = field.startsWith(ATTRIBUTE) ? names.field(field.slice(ATTRIBUTE.length)) : labelField(field)
  const operator = labelOperators(field).find(({ value }) => value === is)?.label ?? is
  return [name, operator, describeValue(condition, names)].filter(Boolean).join(' ')
}

const count = ({ items }: ContactFilter): number =>
  items.reduce((sum, item) => sum + (isGroup(item) ? count(item) : 1), 0)

/** "Tag is VIP and Opened a campaign in the last 30 days"; a long one ends with how many more there are. */
export function describeFilter(filter: ContactFilter, names: FilterNames): string {
  const word = filter.op === 'and' ? ' and ' : ' or '
  const shown = filter.items.slice(0, SHOWN)
  const texts = shown.map((item) => {
    if (!isGroup(item)) return describeCondition(item, names)
    const inner = describeFilter(item, names)
    return item.items.length > 1 ? `(${inner})` : inner
  })
  const rest = count({ ...filter, items: filter.items.slice(SHOWN) })
  return texts.join(word) + (rest > 0 ? `${word}${rest} more` : '')
}
