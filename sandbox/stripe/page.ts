import type { Params } from './form.ts'

const PAGE_SIZE = 10

/** A list as Stripe's API shows it. */
export interface PageOf {
  object: 'list'
  url: string
  has_more: boolean
  data: object[]
}

/** A list as Stripe pages it, newest first. */
export function buildListPage(params: Params, all: { id: string; created: number }[], url: string): PageOf {
  const sorted = all.map((one, i) => ({ one, i })).sort((a, b) => b.one.created - a.one.created || b.i - a.i)
  const after = params.text('starting_after')
  const from = after ? sorted.findIndex(({ one }) => one.id === after) + 1 : 0
  const limit = params.number('limit') ?? PAGE_SIZE
  const data = sorted.slice(from, from + limit).map(({ one }) => one)
  return { object: 'list', url, has_more: sorted.length > from + limit, data }
}
