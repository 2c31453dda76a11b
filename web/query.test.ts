import { notifyManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { untilPasses } from '#server/testing/until.ts'
import { readAll, reload, sortByName, storeResult } from './query.ts'

/** A query on screen whose first response has not come yet. */
function shownQuery() {
  const queries = new QueryClient()
  const responses: PromiseWithResolvers<string>[] = []
  const observer = new QueryObserver(queries, {
    queryKey: ['messages', '1'],
    queryFn: () => {
      const response = Promise.withResolvers<string>()
      responses.push(response)
      return response.promise
    },
  })
  const close = observer.subscribe(() => undefined)
  return { queries, responses, shown: () => observer.getCurrentResult().data, close }
}

test('reload: a change during the first response is asked for after it', async () => {
  const { queries, responses, shown, close } = shownQuery()
  const reloaded = reload(queries, ['messages'])
  responses[0]?.resolve('before the change')
  await untilPasses(async () => expect(responses.length).toBe(2))
  responses[1]?.resolve('after the change')
  await reloaded
  expect(shown()).toBe('after the change')
  close()
})

test('query: a change of what it holds is told in the event that made it', async () => {
  const queries = new QueryClient()
  queries.setQueryData(['draft'], 'stored')
  const told: unknown[] = []
  const observer = new QueryObserver(queries, { queryKey: ['draft'], staleTime: Number.POSITIVE_INFINITY })
  // As a hook does.
  const close = observer.subscribe(notifyManager.batchCalls(({ data }) => void told.push(data)))
  queries.setQueryData(['draft'], 'changed')
  // Timers run in later events, promises in this one.
  await Promise.resolve()
  expect(told).toEqual(['changed'])
  close()
})

test('reload: what is there already is asked for at once', async () => {
  const { queries, responses, shown, close } = shownQuery()
  responses[0]?.resolve('before')
  await untilPasses(async () => expect(shown()).toBe('before'))
  const reloaded = reload(queries, ['messages'])
  await untilPasses(async () => expect(responses.length).toBe(2))
  responses[1]?.resolve('after')
  await reloaded
  expect(shown()).toBe('after')
  close()
})

test('storing a result: a response under way from before it does not replace it, and is asked for again', async () => {
  const { queries, responses, shown, close } = shownQuery()
  responses[0]?.resolve('before')
  await untilPasses(async () => expect(shown()).toBe('before'))
  void reload(queries, ['messages'])
  await untilPasses(async () => expect(responses.length).toBe(2))
  storeResult(queries, ['messages', '1'], 'changed')
  expect(shown()).toBe('changed')
  responses[1]?.resolve('before, again')
  await untilPasses(async () => expect(responses.length).toBe(3))
  expect(shown()).toBe('changed')
  responses[2]?.resolve('changed, and more')
  await untilPasses(async () => expect(shown()).toBe('changed, and more'))
  storeResult(queries, ['messages', '1'], 'changed again')
  expect([shown(), queries.isFetching()]).toEqual(['changed again', 0])
  close()
})

test('reading all: pages follow each other to the end of a list, or to the bound of 5,000 items', async () => {
  const readPages = (count: number) =>
    readAll(async ({ limit, cursor = '1' }) => ({
      items: Array.from({ length: limit }, () => cursor),
      page: cursor,
      nextCursor: Number(cursor) < count ? String(Number(cursor) + 1) : null,
    }))
  const three = await readPages(3)
  expect({ ...three, items: new Set(three.items) }).toEqual({
    items: new Set(['1', '2', '3']),
    page: '1',
    nextCursor: null,
  })
  expect(three.items).toHaveLength(600)
  const endless = await readPages(Number.POSITIVE_INFINITY)
  expect([endless.items.length, endless.nextCursor]).toEqual([5_000, '26'])
})

test('sorting by name: numbers count by their value, case and accents do not separate', () => {
  const found = { items: ['List 10', 'Zoo', 'list 2', 'Éclair', 'List 1', 'apple'].map((name) => ({ name })), total: 6 }
  const sorted = sortByName(found)
  expect(sorted.items.map(({ name }) => name)).toEqual(['apple', 'Éclair', 'List 1', 'list 2', 'List 10', 'Zoo'])
  expect([sorted.total, found.items[0]?.name]).toEqual([6, 'List 10'])
})
