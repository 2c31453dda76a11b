import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { SearchInput } from '#web/ui/form/input.tsx'
import { UrlSelect } from '#web/ui/form/url-select.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { plural } from '#web/ui/lib/format.ts'
import { useDebounced } from '#web/ui/lib/use-debounced.ts'
import { useHotkey } from '#web/ui/lib/use-hotkey.ts'
import { withParam } from '#web/ui/lib/with-param.ts'
import { EmailDrawing, SearchDrawing } from '#web/ui/theme/drawings.tsx'
import { FirstMail } from './first-mail.tsx'
import type { MailFilter } from './follow.ts'
import { MailList } from './mail-list.tsx'
import { MailPane } from './mail-pane.tsx'
import { useArrivals, useMails } from './queries.ts'

const filters = [
  { value: 'workspace', label: 'My workspace' },
  { value: 'system', label: 'System emails' },
]

/** List and mail side by side; up to 1024 px one after the other. The chosen mail stands in the address, and new mail never changes it. */
export function Mailbox({ of, isAdmin }: { of: MailFilter; isAdmin: boolean }) {
  const [parameters] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const selected = parameters.get('mail') ?? undefined
  const [text, setText] = useState('')
  const q = useDebounced(text.trim())
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useMails(of, q)
  const arrived = useArrivals(of)
  const opened = useRef(new Set<string>())
  if (selected) opened.current.add(selected)
  const search = useRef<HTMLDivElement>(null)
  const pane = useRef<HTMLDivElement>(null)
  const keepPlace = usePlaces(selected, pane)
  const mails = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data])
  const back = of ? `${pathname}?of=${of}` : pathname
  const buildHref = (id: string) => `${pathname}?${withParam(parameters, 'mail', id)}`
  const open = (id: string) => void navigate(buildHref(id), { replace: true, preventScrollReset: true })

  useNewestFirst(mails[0]?.id, selected, open)
  useFirstHit(isPending ? undefined : q, mails[0]?.id, open)
  useHotkey('j k', (key) => {
    const at = mails.findIndex((mail) => mail.id === selected)
    const next = mails[at < 0 ? 0 : at + (key === 'j' ? 1 : -1)]
    if (next) open(next.id)
    else if (key === 'j' && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  })
  useHotkey('/', () => search.current?.querySelector('input')?.focus())
  useHotkey('Escape', () => {
    if (selected && matchMedia('(max-width: 1024px)').matches) void navigate(back, { preventScrollReset: true })
  })

  const nothing = !isPending && !error && mails.length === 0
  if (nothing && !q && !of && !selected) return <FirstMail />
  const total = data?.pages[0]?.total
  return (
    <div className="overflow-hidden rounded-card border bg-surface wide:grid wide:h-[calc(100dvh-16.5rem)] wide:min-h-120 wide:grid-cols-[21rem_minmax(0,1fr)]">
      <section
        aria-label="List"
        className={cx('flex min-h-0 min-w-0 flex-col wide:border-r', selected && 'max-wide:hidden')}
      >
        <div ref={search} className="border-b p-3">
          <SearchInput
            label="Search sender, recipient, subject"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          {isAdmin && (
            <UrlSelect param="of" label="Sent by" options={filters} all="All workspaces" className="mt-2 w-full" />
          )}
          <p className="mt-2 flex justify-between text-xs text-muted tabular-nums" aria-live="polite">
            <span>
              {q
                ? `${plural(mails.length, 'email')}${hasNextPage ? ' and more' : ''}`
                : total === undefined
                  ? 'Counting...'
                  : plural(total, 'email')}
            </span>
            <span aria-hidden="true" className="max-wide:hidden">
              <kbd className="font-sans">j</kbd> <kbd className="font-sans">k</kbd> to move,{' '}
              <kbd className="font-sans">/</kbd> to search
            </span>
          </p>
        </div>
        <div onClickCapture={keepPlace} className="min-h-0 flex-1 wide:overflow-y-auto">
          {error ? (
            <ErrorState title="The emails could not be loaded" error={error} onRetry={() => refetch()} />
          ) : isPending ? (
            <SkeletonRows rows={8} />
          ) : nothing ? (
            <EmptyState drawing={q && <SearchDrawing />} title={q ? 'No emails found' : 'No emails yet'}>
              {q ? `No sender, recipient or subject contains “${q}”.` : 'New emails appear here as they arrive.'}
            </EmptyState>
          ) : (
            <MailList
              mails={mails}
              selected={selected}
              fresh={(id) => arrived.has(id) && !opened.current.has(id)}
              buildHref={buildHref}
              onEnd={hasNextPage ? () => !isFetchingNextPage && void fetchNextPage() : undefined}
            />
          )}
        </div>
      </section>
      <div ref={pane} className={cx('min-h-0 min-w-0 wide:overflow-y-auto', !selected && 'max-wide:hidden')}>
        {selected ? (
          <MailPane id={selected} back={back} />
        ) : (
          <EmptyState drawing={<EmailDrawing />} title="Choose an email" className="py-24">
            It opens here as the recipient would see it.
          </EmptyState>
        )}
      </div>
    </div>
  )
}

/** Where both stand side by side, the newest mail is open at first. Once: later mail never takes the place of the chosen one. */
function useNewestFirst(newest: string | undefined, selected: string | undefined, open: (id: string) => void): void {
  const done = useRef(false)
  useEffect(() => {
    if (done.current || !newest) return
    done.current = true
    if (!selected && matchMedia('(min-width: 1025px)').matches) open(newest)
  })
}

/** A search opens its first hit where both stand side by side, so that the mail on the right is one of the list. */
function useFirstHit(q: string | undefined, first: string | undefined, open: (id: string) => void): void {
  const done = useRef('')
  useEffect(() => {
    if (q === undefined || q === done.current) return
    done.current = q
    if (q && first && matchMedia('(min-width: 1025px)').matches) open(first)
  })
}

/** A mail begins at its top; coming back on a phone, the list is where it was. Returns what notes that place. */
function usePlaces(selected: string | undefined, pane: React.RefObject<HTMLDivElement | null>): () => void {
  const place = useRef(0)
  useLayoutEffect(() => {
    pane.current?.scrollTo(0, 0)
    if (matchMedia('(max-width: 1024px)').matches) window.scrollTo(0, selected ? 0 : place.current)
  }, [selected, pane])
  return () => {
    place.current = window.scrollY
  }
}
