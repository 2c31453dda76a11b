import { useSearchParams } from 'react-router'
import { type ContactFilter, ContactSort, ContactSource, ContactStatus } from '#contracts/contacts/filter.ts'
import { Id } from '#contracts/values.ts'

export interface ContactFilters {
  q: string
  listId: string
  tag: string
  segmentId: string
  status: ContactStatus | undefined
  source: ContactSource | undefined
  sort: ContactSort
}

/** The filters and the order as the URL says them; what it says wrongly is not there. */
export function readFilters(search: URLSearchParams): ContactFilters {
  return {
    q: search.get('q')?.trim().slice(0, 200) ?? '',
    listId: Id.safeParse(search.get('list')).data ?? '',
    tag: Id.safeParse(search.get('tag')).data ?? '',
    segmentId: Id.safeParse(search.get('segment')).data ?? '',
    status: ContactStatus.safeParse(search.get('status')).data,
    source: ContactSource.safeParse(search.get('source')).data,
    sort: ContactSort.safeParse(search.get('sort')).data ?? '-createdAt',
  }
}

export const useContactFilters = () => readFilters(useSearchParams()[0])

/** Whether any filter is set. */
export const isFiltered = ({ q, listId, tag, segmentId, status, source }: ContactFilters) =>
  q !== '' || listId !== '' || tag !== '' || segmentId !== '' || status !== undefined || source !== undefined

/** The filters as a change of many contacts takes them; `segment` is the filter of the segment among them. */
export function toContactFilter(
  { q, listId, tag, status, source }: ContactFilters,
  segment: ContactFilter | undefined,
): ContactFilter {
  return {
    op: 'and',
    items: [
      ...(listId ? [{ field: 'list', is: 'equal', value: listId } as const] : []),
      ...(tag ? [{ field: 'tag', is: 'equal', value: tag } as const] : []),
      ...(status ? [{ field: 'status', is: 'equal', value: status } as const] : []),
      ...(source ? [{ field: 'source', is: 'equal', value: source } as const] : []),
      ...(segment && segment.items.length > 0 ? [segment] : []),
      ...(q ? [{ field: 'search', is: 'containing', value: q } as const] : []),
    ],
  }
}
