import { notifyManager, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from '#contracts/client.ts'
import { decodeClaims, onSessionChange, storedToken } from './session/session.ts'

// A field that is drawn from what a query holds shows its change in the event that made it. With a timer, the library's
// default, React first puts the old value back: a checkbox flickers, and a second tap right after repeats the first.
notifyManager.setScheduler(queueMicrotask)

/** What signed-in pages have read from the API. A refusal is final; a lost connection is tried twice more. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => error instanceof TypeError && !(error instanceof ApiError) && failures < 2,
    },
  },
})

/**
 * Asks again for what changed. A first response that is still under way may be from before the change, and it would count as
 * fresh: it is waited for.
 */
export async function reload(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const underWay = queries
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined })
  await Promise.allSettled(underWay.map(({ promise }) => promise))
  await queries.invalidateQueries({ queryKey })
}

/**
 * Stores what a change returned or an event told. A response under way may be from before it: it is dropped, and asked for
 * again.
 */
export function storeResult<T>(queries: QueryClient, queryKey: QueryKey, result: T): void {
  const one = { queryKey, exact: true }
  const isAsked = queries.isFetching(one) > 0
  void queries.cancelQueries(one)
  queries.setQueryData<T>(queryKey, result)
  if (isAsked) void queries.invalidateQueries(one)
}

/** Items of a page, and pages, that are read of a list shown as a whole: 5,000 items. */
const PAGE_SIZE = 200
const MAX_PAGES = 25

/**
 * All items of a list that is chosen from or shown as a whole, page by page: `readAll((page) => api(lists.list, { query: page }))`.
 * `nextCursor` is null unless there are more than 5,000. What else the list says is of its first page.
 */
export async function readAll<Page extends { items: unknown[]; nextCursor: string | null }>(
  readPage: (page: { limit: number; cursor?: string }) => Promise<Page>,
): Promise<Page> {
  const first = await readPage({ limit: PAGE_SIZE })
  let items: unknown[] = first.items
  let nextCursor = first.nextCursor
  for (let pages = 1; nextCursor !== null && pages < MAX_PAGES; pages += 1) {
    const next = await readPage({ limit: PAGE_SIZE, cursor: nextCursor })
    items = [...items, ...next.items]
    nextCursor = next.nextCursor
  }
  return { ...first, items, nextCursor }
}

const names = new Intl.Collator(undefined, { numeric: true })

/** Compares names as people sort them: in their language, and "List 2" before "List 10". */
export const compareNames = (a: string, b: string): number => names.compare(a, b)

/** The `select` of a query of what is chosen from: by name. */
export const sortByName = <Named extends { name: string }, Found extends { items: Named[] }>(found: Found): Found => ({
  ...found,
  items: found.items.toSorted((a, b) => compareNames(a.name, b.name)),
})

let owner: unknown

/** Forgets what was read for one user when the session ends or another user's begins. What failed stays until then, so that it can be said. */
function forgetOtherSessions(): void {
  const token = storedToken()
  const failed = queryClient.getQueryState(['user'])?.status === 'error'
  if (!token) {
    queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'user' || !failed })
    return
  }
  const next = decodeClaims(token)?._id
  if (failed || next !== owner) queryClient.clear()
  owner = next
}

// Nothing is read on the server, so there is nothing to forget there.
if (typeof document !== 'undefined') {
  owner = decodeClaims(storedToken() ?? '')?._id
  onSessionChange(forgetOtherSessions)
}
