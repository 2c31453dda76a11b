/** A filter while it is edited. Every change gives a new tree; keys stay, so that rows keep their focus. */
import { type Condition, ContactFilter, isGroup, MAX_CONDITIONS } from '#contracts/contacts/conditions.ts'
import { findValueKind, labelOperators } from './labels.ts'

export interface DraftCondition {
  key: number
  field: string
  is: string
  /** As it was entered. */
  value: string
}
export interface DraftGroup {
  key: number
  op: 'and' | 'or'
  items: DraftItem[]
}
export type DraftItem = DraftGroup | DraftCondition

export const isDraftGroup = (item: DraftItem): item is DraftGroup => 'items' in item

let lastKey = 0
const newKey = () => ++lastKey

/** A condition on a field, with its first operator and nothing entered. */
export const newCondition = (field = 'status'): DraftCondition => ({
  key: newKey(),
  field,
  is: labelOperators(field)[0]?.value ?? 'equal',
  value: '',
})
export const newGroup = (): DraftGroup => ({ key: newKey(), op: 'or', items: [newCondition()] })

/** A stored filter as one to edit. */
export const toDraft = ({ op, items }: ContactFilter): DraftGroup => ({
  key: newKey(),
  op,
  items: items.map((item) =>
    isGroup(item) ? toDraft(item) : { key: newKey(), field: item.field, is: item.is, value: String(item.value ?? '') },
  ),
})

/** The tree with the item of a key changed; with undefined it is removed, and a group within that this leaves empty too. */
export function changeItem(
  root: DraftGroup,
  key: number,
  change: (item: DraftItem) => DraftItem | undefined,
): DraftGroup {
  const walk = (item: DraftItem): DraftItem | undefined => {
    if (item.key === key) return change(item)
    if (!isDraftGroup(item)) return item
    const items = item.items.flatMap((one) => walk(one) ?? [])
    return items.length === 0 && item.items.length > 0 && item.key !== root.key ? undefined : { ...item, items }
  }
  return (walk(root) as DraftGroup | undefined) ?? { ...root, items: [] }
}

/** A condition with another field: what was entered for the former one means nothing there. */
export const withField = (condition: DraftCondition, field: string): DraftCondition => ({
  ...newCondition(field),
  key: condition.key,
})

/** A condition with another operator; what was entered stays where it is of the same kind. */
export const withOperator = (condition: DraftCondition, is: string): DraftCondition => ({
  ...condition,
  is,
  value: findValueKind(condition.field, is) === findValueKind(condition.field, condition.is) ? condition.value : '',
})

function toCondition({ field, is, value }: DraftCondition): Condition {
  const kind = findValueKind(field, is)
  if (kind === 'none') return { field, is }
  const text = value.trim()
  const isNumber = (kind === 'number' || kind === 'days') && text !== '' && Number.isFinite(Number(text))
  return { field, is, value: isNumber ? Number(text) : text }
}

const toPlain = ({ op, items }: DraftGroup): ContactFilter => ({
  op,
  items: items.map((item) => (isDraftGroup(item) ? toPlain(item) : toCondition(item))),
})

/** The filter that was entered, or a sentence that says what is missing. */
export function toFilter(
  root: DraftGroup,
): { filter: ContactFilter; fault?: never } | { filter?: never; fault: string } {
  const { data, error } = ContactFilter.safeParse(toPlain(root))
  if (data) return { filter: data }
  const whole = error.issues.find(({ path }) => path.length === 1)
  return { fault: whole ? `A segment ${whole.message}.` : 'Complete every condition, or remove it.' }
}

export const countConditions = (item: DraftItem): number =>
  isDraftGroup(item) ? item.items.reduce((sum, one) => sum + countConditions(one), 0) : 1

export const isFull = (root: DraftGroup): boolean => countConditions(root) >= MAX_CONDITIONS
