import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../form/button.tsx'

/** The way through a list that pages by cursor: keeps the cursors behind, so that Previous works. `reset` when a filter changes. */
export function useCursorPages() {
  const [cursors, setCursors] = useState<string[]>([])
  return {
    cursor: cursors.at(-1),
    page: cursors.length + 1,
    next: (cursor: string) => setCursors((old) => [...old, cursor]),
    previous: () => setCursors((old) => old.slice(0, -1)),
    reset: () => setCursors([]),
  }
}

interface CursorPagerProps {
  pages: ReturnType<typeof useCursorPages>
  nextCursor: string | null | undefined
  /** What is shown: "1,204 contacts". */
  note?: React.ReactNode
  busy?: boolean
}

/** Previous and Next under a table. Shows only the note when everything fits on one page. */
export function CursorPager({ pages, nextCursor, note, busy }: CursorPagerProps) {
  const alone = pages.page === 1 && !nextCursor
  if (alone && !note) return null
  return (
    <div className="flex min-h-11 items-center justify-between gap-3 px-4 py-2 text-sm text-muted">
      <span className="min-w-0 tabular-nums">{note}</span>
      {!alone && (
        <div className="flex items-center gap-2">
          <span className="whitespace-nowrap tabular-nums max-sm:sr-only">Page {pages.page}</span>
          <Button
            size="sm"
            disabled={pages.page === 1 || busy}
            onClick={pages.previous}
            icon={<ChevronLeft aria-hidden="true" className="size-4" />}
          >
            Previous
          </Button>
          <Button size="sm" disabled={!nextCursor || busy} onClick={() => nextCursor && pages.next(nextCursor)}>
            Next
            <ChevronRight aria-hidden="true" className="size-4" />
          </Button>
        </div>
      )}
    </div>
  )
}
