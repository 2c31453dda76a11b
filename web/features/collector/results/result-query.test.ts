import { expect, test } from 'vitest'
import { parseResultQuery } from './result-query.ts'

const parse = (search: string) => parseResultQuery(new URLSearchParams(search))

test('results: without a query the newest are first and nothing is filtered', () => {
  expect(parse('')).toEqual({
    query: { sort: 'found', order: 'desc' },
    filter: {},
    isFiltered: false,
    isNewestFirst: true,
    sort: 'found',
    order: 'desc',
  })
})

test('results: a filter and an order are read, and new findings no longer belong on top', () => {
  expect(parse('role=role&q=info&sort=value&order=desc')).toMatchObject({
    query: { role: 'role', q: 'info', sort: 'value', order: 'desc' },
    isFiltered: true,
    isNewestFirst: false,
  })
  expect(parse('order=asc').isNewestFirst).toBe(false)
})

test('results: values are in the order of the alphabet unless told otherwise', () => {
  expect(parse('sort=value').order).toBe('asc')
  expect(parse('sort=found').order).toBe('desc')
})

test('results: what the address says wrongly is skipped', () => {
  expect(parse('role=king&minConfidence=much&sort=__proto__&order=sideways&q=')).toMatchObject({
    query: { sort: 'found', order: 'desc' },
    isFiltered: false,
  })
})
