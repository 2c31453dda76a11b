import { expect, test } from 'vitest'
import { parseResultQuery } from './result-query.ts'

const parse = (search: string) => parseResultQuery(new URLSearchParams(search))

test('scraper results: without a query nothing is filtered and the newest findings are first', () => {
  expect(parse('')).toEqual({
    query: { sort: 'found', order: 'desc' },
    filter: {},
    isFiltered: false,
    isNewestFirst: true,
    sort: 'found',
    order: 'desc',
  })
})

test('scraper results: a filter and an order are read, and new findings are not put on top', () => {
  expect(parse('role=role&q=info&sort=value&order=desc')).toMatchObject({
    query: { role: 'role', q: 'info', sort: 'value', order: 'desc' },
    isFiltered: true,
    isNewestFirst: false,
  })
  expect(parse('order=asc').isNewestFirst).toBe(false)
})

test('scraper results: values are sorted ascending and times descending by default', () => {
  expect(parse('sort=value').order).toBe('asc')
  expect(parse('sort=found').order).toBe('desc')
})

test('scraper results: invalid parameters of the URL are ignored', () => {
  expect(parse('role=king&minConfidence=much&sort=__proto__&order=sideways&q=')).toMatchObject({
    query: { sort: 'found', order: 'desc' },
    isFiltered: false,
  })
})
