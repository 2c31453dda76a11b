import { expect, test } from 'vitest'
import { describeFilter } from './describe.ts'

const names = { list: () => 'News', tag: () => 'VIP', field: (name: string) => name.toUpperCase() }

test('segment words: a filter is one sentence, and a long one says how many conditions it does not show', () => {
  const opened = { field: 'opened', is: 'inLast', value: 1 }
  const items = [
    { field: 'list', is: 'equal', value: '1' },
    { field: 'tag', is: 'notEqual', value: '2' },
    { op: 'or' as const, items: [opened, { field: 'attributes.plan', is: 'equal', value: 'pro' }] },
  ]
  expect(describeFilter({ op: 'and', items }, names)).toBe(
    'List is News and Tag is not VIP and (Opened a campaign in the last 1 day or PLAN is pro)',
  )
  expect(describeFilter({ op: 'or', items: [...items.slice(0, 2), opened, items[2] ?? opened] }, names)).toBe(
    'List is News or Tag is not VIP or Opened a campaign in the last 1 day or 2 more',
  )
  const status = { field: 'status', is: 'equal', value: 'subscribed' }
  expect(describeFilter({ op: 'and', items: [{ op: 'or', items: [status] }] }, names)).toBe('Status is Subscribed')
})
