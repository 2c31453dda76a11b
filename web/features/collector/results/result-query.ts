import { useSearchParams } from 'react-router'
import { collector, ResultSort } from '#contracts/collector/collector.ts'
import type { ResultQuery } from '../queries.ts'

/** The names in the address; the contract's, so that nothing has to be translated. */
const names = ['q', 'role', 'mx', 'minConfidence', 'open', 'country', 'type'] as const

/** Which results a query string asks for, in which order. What it says wrongly is skipped. Newest first unless told. */
export function parseResultQuery(search: URLSearchParams) {
  const filter = Object.fromEntries(
    names.flatMap((name) => {
      const value = search.get(name)
      return value && collector.results.query.shape[name].safeParse(value).success ? [[name, value]] : []
    }),
  ) as Omit<ResultQuery, 'sort' | 'order'>
  const sort = ResultSort.safeParse(search.get('sort')).data ?? 'found'
  const isAscending = search.get('order') === 'asc' || (search.get('order') === null && sort === 'value')
  const order: 'asc' | 'desc' = isAscending ? 'asc' : 'desc'
  const isFiltered = Object.keys(filter).length > 0
  return {
    query: { ...filter, sort, order } satisfies ResultQuery,
    filter,
    isFiltered,
    /** New findings belong on top only here. */
    isNewestFirst: !isFiltered && sort === 'found' && order === 'desc',
    sort,
    order,
  }
}

/** Which results the address asks for, and how to ask for others. */
export function useResultQuery() {
  const [search, setSearch] = useSearchParams()
  return {
    ...parseResultQuery(search),
    onSort: (by: string, next: 'asc' | 'desc') =>
      setSearch(
        (old) => {
          const params = new URLSearchParams(old)
          params.set('sort', by)
          params.set('order', next)
          return params
        },
        { preventScrollReset: true, replace: true },
      ),
    clear: () => setSearch({}, { preventScrollReset: true }),
  }
}
