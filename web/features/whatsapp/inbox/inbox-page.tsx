import { MessageCirclePlus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { UrlSearch } from '#web/ui/form/url-search.tsx'
import { UrlSelect } from '#web/ui/form/url-select.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatNumber } from '#web/ui/lib/format.ts'
import { useHotkey } from '#web/ui/lib/use-hotkey.ts'
import { withParam } from '#web/ui/lib/with-param.ts'
import { PeopleDrawing, SearchDrawing } from '#web/ui/theme/drawings.tsx'
import { NeedsNumber } from '../numbers/needs-number.tsx'
import { NumberFilter } from '../numbers/number-filter.tsx'
import { useNumbers } from '../numbers/queries.ts'
import { ConversationList } from './conversation-list.tsx'
import { useConversations, useLiveConversations } from './queries.ts'
import { StartDialog } from './start-dialog.tsx'
import { Thread } from './thread.tsx'

export const meta = () => [{ title: 'WhatsApp inbox · Postlark' }]

export default function InboxPage() {
  const [search, setSearch] = useSearchParams()
  const reading = search.has('c')
  const [starting, setStarting] = useState(false)
  const hasNumber = (useNumbers().data?.items.length ?? 0) > 0
  return (
    <>
      <div className={cx(reading && 'max-wide:hidden')}>
        <PageHeader
          title="WhatsApp inbox"
          description="You can reply freely for 24 hours after a customer’s last message."
          action={
            hasNumber && (
              <Button
                icon={<MessageCirclePlus aria-hidden="true" className="size-4" />}
                onClick={() => setStarting(true)}
              >
                New conversation
              </Button>
            )
          }
        />
      </div>
      <NeedsNumber what="Messages sent to it appear here.">
        <Inbox />
      </NeedsNumber>
      {starting && (
        <StartDialog
          onClose={() => setStarting(false)}
          onStarted={(id) => setSearch({ c: id }, { preventScrollReset: true })}
        />
      )}
    </>
  )
}

const shows = [
  { value: 'unread', label: 'Unread' },
  { value: 'mine', label: 'Mine' },
  { value: 'nobody', label: 'Unassigned' },
  { value: 'closed', label: 'Closed' },
  { value: 'all', label: 'All' },
]

/** What the address leaves of the conversations: which choice, which number, which words. */
function useFilters() {
  const [search] = useSearchParams()
  const show = search.get('show') ?? ''
  const q = search.get('q') ?? ''
  const accountId = search.get('number') ?? ''
  return {
    isFiltered: (show !== '' && show !== 'all') || q !== '' || accountId !== '',
    filters: {
      ...(show !== 'all' && { state: show === 'closed' ? ('closed' as const) : ('open' as const) }),
      ...(show === 'unread' && { unread: 'true' as const }),
      ...(show === 'mine' && { assigned: 'me' as const }),
      ...(show === 'nobody' && { assigned: 'nobody' as const }),
      ...(q && { q }),
      ...(accountId && { accountId }),
    },
  }
}

function Inbox() {
  useLiveConversations()
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const selected = search.get('c') ?? undefined
  const { filters, isFiltered } = useFilters()
  const list = useConversations(filters)
  const conversations = list.data?.pages.flatMap((page) => page.items) ?? []
  const unread = list.data?.pages[0]?.unread ?? 0
  const buildHref = (id: string | undefined) => `${pathname}?${withParam(search, 'c', id)}`
  const go = (id: string | undefined) => void navigate(buildHref(id), { replace: true, preventScrollReset: true })
  useTitle(unread)
  useNewestFirst(conversations[0]?.id, selected, go)
  useHotkey('j k', (key) => {
    const at = conversations.findIndex(({ id }) => id === selected)
    const next = conversations[at < 0 ? 0 : at + (key === 'j' ? 1 : -1)]
    if (next) go(next.id)
  })
  useHotkey('Escape', () => {
    if (selected && matchMedia('(max-width: 1024px)').matches) go(undefined)
  })
  return (
    <div className="overflow-hidden rounded-card border bg-surface wide:grid wide:h-[calc(100dvh-14rem)] wide:min-h-128 wide:grid-cols-[18rem_minmax(0,1fr)]">
      <section
        aria-label="Conversations"
        className={cx('flex min-h-0 min-w-0 flex-col wide:border-r', selected && 'max-wide:hidden')}
      >
        <Filters unread={unread} />
        <div className="min-h-0 flex-1 wide:overflow-y-auto">
          {list.error && !list.data ? (
            <ErrorState
              title="The conversations could not be loaded"
              error={list.error}
              onRetry={() => list.refetch()}
            />
          ) : list.isPending ? (
            <SkeletonRows rows={8} />
          ) : conversations.length === 0 ? (
            <Nothing isFiltered={isFiltered} />
          ) : (
            <ConversationList
              conversations={conversations}
              selected={selected}
              buildHref={buildHref}
              onMore={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
            />
          )}
        </div>
      </section>
      <div className={cx('flex min-h-0 min-w-0 flex-col', !selected && 'max-wide:hidden')}>
        {selected ? (
          <Thread key={selected} id={selected} back={buildHref(undefined)} />
        ) : (
          <EmptyState drawing={<PeopleDrawing />} title="Choose a conversation" className="my-auto">
            The whole conversation opens here.
          </EmptyState>
        )}
      </div>
    </div>
  )
}

function Filters({ unread }: { unread: number }) {
  return (
    <div className="space-y-2 border-b p-3">
      <UrlSearch label="Search conversations" />
      <div className="flex gap-2">
        <UrlSelect
          param="show"
          label="Show conversations"
          all="Open"
          options={shows.map((one) =>
            one.value === 'unread' && unread > 0 ? { ...one, label: `Unread (${formatNumber(unread)})` } : one,
          )}
          className="min-w-0 flex-1"
        />
        <NumberFilter />
      </div>
    </div>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState drawing={<SearchDrawing />} title="No conversations found">
        No conversations match this search and filter.
      </EmptyState>
    )
  return (
    <EmptyState drawing={<PeopleDrawing />} title="No conversations yet">
      Messages sent to one of your numbers appear here.
    </EmptyState>
  )
}

/** The count of unread conversations before the page's title, for who works in another tab. */
function useTitle(unread: number): void {
  useEffect(() => {
    const own = document.title.replace(/^\(\d+\) /, '')
    document.title = unread > 0 ? `(${unread}) ${own}` : own
    return () => {
      document.title = document.title.replace(/^\(\d+\) /, '')
    }
  }, [unread])
}

/** Where both stand side by side, the newest conversation is open at first. Once: later ones never take its place. */
function useNewestFirst(newest: string | undefined, selected: string | undefined, open: (id: string) => void): void {
  const done = useRef(false)
  useEffect(() => {
    if (done.current || !newest) return
    done.current = true
    if (!selected && matchMedia('(min-width: 1025px)').matches) open(newest)
  })
}
