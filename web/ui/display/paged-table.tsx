import { ErrorState } from '../feedback/error-state.tsx'
import { CursorPager, type useCursorPages } from './cursor-pager.tsx'
import { DataTable, type DataTableProps } from './data-table.tsx'

interface PagedTableProps<Row> extends Omit<DataTableProps<Row>, 'rows' | 'stale' | 'footer' | 'endless'> {
  /** The page of the list that `pages` is on. */
  query: {
    data: { items: Row[]; nextCursor: string | null; total?: number | undefined } | undefined
    error: unknown
    isError: boolean
    isPlaceholderData: boolean
    refetch: () => unknown
  }
  pages: ReturnType<typeof useCursorPages>
  /** What is said when nothing could be loaded: "The users could not be loaded". */
  failure: string
  /** What is shown: "1,204 users". */
  count?: (total: number) => string
  /** The same where the list is too long to count. */
  uncounted?: string
}

/** A table of a list that pages by cursor: the error when it could not be loaded, and Previous and Next under its rows. */
export function PagedTable<Row>({ query, pages, failure, count, uncounted, ...table }: PagedTableProps<Row>) {
  const { data, isPlaceholderData } = query
  if (query.isError && !data) return <ErrorState title={failure} error={query.error} onRetry={() => query.refetch()} />
  return (
    <DataTable
      {...table}
      rows={data?.items}
      stale={isPlaceholderData}
      footer={
        <CursorPager
          pages={pages}
          nextCursor={data?.nextCursor}
          busy={isPlaceholderData}
          note={data?.total === undefined ? uncounted : count?.(data.total)}
        />
      }
    />
  )
}
