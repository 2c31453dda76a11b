import { expect, test } from 'vitest'
import { CONDITIONS, type ContactFilter, MAX_CONDITIONS, MAX_LOOKUPS } from '#contracts/contacts/conditions.ts'
import { fieldGroups, findChoices, findValueKind, labelField, labelOperators, type ValueKind } from './labels.ts'
import { changeItem, type DraftCondition, type DraftGroup, isFull, newCondition, toDraft, toFilter } from './tree.ts'

const entered: Record<Exclude<ValueKind, 'choice'>, string> = {
  none: '',
  text: ' Ada ',
  url: 'https://example.com/sale',
  number: '12.5',
  days: '30',
  day: '2026-05-01',
  list: '1',
  tag: '2',
  campaign: '3',
}
const complete = (field: string, is: string): DraftCondition => {
  const kind = findValueKind(field, is)
  return { key: 1, field, is, value: kind === 'choice' ? (findChoices(field)[0]?.value ?? '') : entered[kind] }
}
const holding = (...items: DraftGroup['items']): DraftGroup => ({ key: 0, op: 'and', items })

test('segment words: what is entered for every operator of every field is what the contract takes', () => {
  expect(fieldGroups.flatMap(({ fields }) => fields).sort()).toEqual(Object.keys(CONDITIONS).sort())
  for (const field of [...Object.keys(CONDITIONS), 'attributes.Plan', 'event.Order paid'])
    for (const { value: is, label } of labelOperators(field)) {
      expect(label).toMatch(/^[a-z ]+$/)
      expect(toFilter(holding(complete(field, is))).fault, `${field} ${is}`).toBeUndefined()
    }
  expect([labelField('attributes.Plan'), labelField('event.Order paid')]).toEqual(['Plan', 'Order paid'])
})

test('segment tree: a stored filter comes back as it was, and an incomplete one is none', () => {
  const filter: ContactFilter = {
    op: 'or',
    items: [
      { field: 'tag', is: 'equal', value: '7' },
      {
        op: 'and',
        items: [
          { field: 'opened', is: 'inLast', value: 30 },
          { field: 'clicked', is: 'never' },
        ],
      },
    ],
  }
  expect(toFilter(toDraft(filter))).toEqual({ filter })
  expect(toFilter(holding())).toEqual({ filter: { op: 'and', items: [] } })
  expect(toFilter(holding(newCondition('tag')))).toEqual({ fault: 'Complete every condition, or remove it.' })
  expect(toFilter(holding({ ...complete('opened', 'inLast'), value: 'many' })).fault).toBeDefined()
  const tags = Array.from({ length: MAX_LOOKUPS + 1 }, () => complete('tag', 'equal'))
  expect(toFilter(holding(...tags)).fault).toMatch(/^A segment must have at most 20 conditions on lists/)
})

test('segment tree: the last condition of a group takes the group with it, and the outermost one stays', () => {
  const root = toDraft({ op: 'and', items: [{ op: 'or', items: [{ field: 'clicked', is: 'never' }] }] })
  const [group] = root.items as DraftGroup[]
  const inner = group?.items[0]?.key ?? 0
  expect(changeItem(root, inner, () => undefined)).toEqual({ ...root, items: [] })
  const changed = changeItem(root, inner, (item) => ({ ...(item as DraftCondition), is: 'ever' }))
  expect(toFilter(changed).filter?.items).toEqual([{ op: 'or', items: [{ field: 'clicked', is: 'ever' }] }])
  expect(isFull(holding(...Array.from({ length: MAX_CONDITIONS }, () => newCondition())))).toBe(true)
})
