import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { CursorPager, useCursorPages } from '#web/ui/display/cursor-pager.tsx'
import { DataTable } from '#web/ui/display/data-table.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { plural } from '#web/ui/lib/format.ts'
import { withParam } from '#web/ui/lib/with-param.ts'
import { BulkActions } from './bulk/bulk-actions.tsx'
import { chosenColumns } from './columns.tsx'
import { type ContactFilters, toContactFilter } from './filters.ts'
import { useContacts, useFields, useLists, useTags } from './queries.ts'
import { useSegments } from './segments/queries.ts'

interface ContactTableProps {
  filters: ContactFilters
  columns: string[]
  empty: React.ReactNode
}

/** The contacts that the filters leave, page by page, in the order of the URL. */
export function ContactTable({ filters, columns, empty }: ContactTableProps) {
  const pages = useCursorPages()
  const [, setSearch] = useSearchParams()
  const [selected, setSelected] = useState<Set<string>>(new Set())
  const [everything, setEverything] = useState(false)
  const lists = useLists()
  const tags = useTags()
  const fields = useFields()
  const { q, listId, tag, segmentId, status, source, sort } = filters
  const segments = useSegments()
  const segment = segments.data?.items.find(({ id }) => id === segmentId)
  const query = useContacts({
    q: q || undefined,
    listId: listId || undefined,
    tag: tag || undefined,
    segmentId: segmentId || undefined,
    status,
    source,
    sort,
    cursor: pages.cursor,
  })
  // The first page says how many there are; the others do not.
  const [total, setTotal] = useState<number>()
  const counted = query.data?.total
  if (counted !== undefined && counted !== total) setTotal(counted)
  if (query.isError && !query.data)
    return <ErrorState title="The contacts could not be loaded" error={query.error} onRetry={() => query.refetch()} />
  const rows = query.data?.items
  const clear = () => {
    setSelected(new Set())
    setEverything(false)
  }
  const isLonger = pages.page > 1 || Boolean(query.data?.nextCursor)
  return (
    // More columns than there is room for scroll sideways within the card.
    <div className={cx(columns.length > 5 && 'md:overflow-x-auto')}>
      <DataTable
        label="Contacts"
        columns={chosenColumns(columns, {
          lists: lists.data?.items ?? [],
          tags: tags.data?.items ?? [],
          fields: fields.data?.items ?? [],
        })}
        rows={rows}
        rowKey={(contact) => contact.id}
        href={(contact) => `/contacts/${contact.id}`}
        sorting={{
          by: sort.replace('-', ''),
          order: sort.startsWith('-') ? 'desc' : 'asc',
          onSort: (by, order) => {
            pages.reset()
            const next = order === 'desc' ? `-${by}` : by
            setSearch((old) => withParam(old, 'sort', next === '-createdAt' ? '' : next), { preventScrollReset: true })
          },
        }}
        selection={{
          selected,
          onChange: (next) => {
            setSelected(next)
            setEverything(false)
          },
          actions: (
            <BulkActions
              choice={everything ? { filter: toContactFilter(filters, segment?.filter) } : { ids: [...selected] }}
              count={everything ? total : selected.size}
              listId={listId}
              onDone={clear}
            />
          ),
          // Of a segment that is not known all would be everybody.
          ...(isLonger &&
            (segmentId === '' || segment) && { everything: { total, chosen: everything, onChoose: setEverything } }),
        }}
        empty={empty}
        stale={query.isPlaceholderData}
        footer={
          <CursorPager
            pages={pages}
            nextCursor={query.data?.nextCursor}
            busy={query.isPlaceholderData}
            note={total === undefined ? undefined : plural(total, 'contact')}
          />
        }
      />
    </div>
  )
}
