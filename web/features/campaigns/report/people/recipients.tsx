import { Eye, MailX, MessageSquareReply, MousePointerClick, Send, UserMinus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { type Campaign, type CampaignMessage, MessageState } from '#contracts/campaigns/campaign.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { RecipientEvent, RecipientOrder } from '#contracts/campaigns/report/messages.ts'
import { labelMessageReason } from '#contracts/campaigns/report/reasons.ts'
import { api } from '#web/api.ts'
import { exportFile } from '#web/export-file.ts'
import { useCursorPages } from '#web/ui/display/cursor-pager.tsx'
import type { Column } from '#web/ui/display/data-table.tsx'
import { PagedTable } from '#web/ui/display/paged-table.tsx'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { FilterChips } from '#web/ui/form/filter-chips.tsx'
import { UrlSearch } from '#web/ui/form/url-search.tsx'
import { UrlSelect } from '#web/ui/form/url-select.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatMoment, plural } from '#web/ui/lib/format.ts'
import { withParam } from '#web/ui/lib/with-param.ts'
import { SearchDrawing } from '#web/ui/theme/drawings.tsx'
import { channels } from '../../channels/index.ts'
import { useEmail, useMessages } from '../../queries.ts'
import { MessageBadge, messageStates } from '../../states.tsx'
import { describeFilter, type RecipientFilter } from './filter-labels.ts'
import { FURTHER_FILTERS } from './people-links.ts'
import { RecipientPanel } from './recipient-panel.tsx'
import { SaveListDialog } from './save-list.tsx'

/** The filter in the address; what is no value of it is left aside. */
function readFilter(search: URLSearchParams): RecipientFilter {
  const state = MessageState.safeParse(search.get('state'))
  const event = RecipientEvent.safeParse(search.get('event'))
  const link = /^\d{1,5}$/.test(search.get('link') ?? '') ? Number(search.get('link')) : undefined
  return {
    state: state.success ? state.data : undefined,
    event: event.success ? event.data : undefined,
    link: event.data === 'clicked' ? link : undefined,
    client: event.data === 'opened' ? (search.get('client')?.slice(0, 60) ?? undefined) : undefined,
    machine: (event.data === 'opened' || event.data === 'clicked') && search.get('machine') === 'true',
    q: search.get('q')?.slice(0, 200) || undefined,
  }
}

/** The same as the API takes it. */
const toQuery = ({ machine, ...filter }: RecipientFilter) => ({
  ...filter,
  ...(machine && { machine: 'true' as const }),
})

/** The campaign recipient by recipient: the filter is in the address, and each one's story a press away. */
export function Recipients({ campaign }: { campaign: Campaign }) {
  const [search, setSearch] = useSearchParams()
  const location = useLocation()
  const top = useRef<HTMLDivElement>(null)
  const filter = readFilter(search)
  const [busy, setBusy] = useState(false)
  const [isSaving, setIsSaving] = useState(false)
  const email = useEmail(campaign)
  const { deeds } = channels[campaign.channel]
  // A number was pressed: its list comes into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each press counts, the same one too
  useEffect(() => {
    if (location.hash === '#recipients') top.current?.scrollIntoView({ block: 'start' })
  }, [location.key])
  async function exportCsv() {
    setBusy(true)
    const params = { id: campaign.id }
    await exportFile(() => api(campaigns.exportMessages, { params, query: toQuery(filter) }), 'recipients.csv')
    setBusy(false)
  }
  const { words, narrowed } = describeFilter(filter, campaign, email.data?.links)
  // The list is named after the link's text.
  const isUnnamed = filter.link !== undefined && email.isLoading
  const states = messageStates.filter(({ value }) => campaign.counts[value] > 0 || value === filter.state)
  const options = deeds.filter(({ event, isCounted }) => isCounted(campaign) || event === filter.event)
  return (
    <div ref={top} id="recipients" className="scroll-mt-4">
      <Card
        title="Recipients"
        flush
        action={
          <span className="flex flex-wrap gap-2">
            <Button
              size="sm"
              onClick={() => setIsSaving(true)}
              disabled={campaign.counts.recipients === 0 || isUnnamed}
            >
              Save as list
            </Button>
            <Button size="sm" busy={busy} onClick={exportCsv}>
              Export CSV
            </Button>
          </span>
        }
      >
        <div className="flex flex-wrap items-center gap-3 border-b px-5 pb-4">
          <UrlSearch label="Search recipients" className="w-full sm:w-60" />
          <UrlSelect param="state" label="Status" all="Any status" options={states} className="w-full sm:w-40" />
          <FilterChips
            param="event"
            label="Activity"
            all="All recipients"
            options={options.map(({ event, label }) => ({ value: event, label }))}
            clears={FURTHER_FILTERS}
          />
        </div>
        {narrowed && (
          <p className="flex flex-wrap items-center gap-2 border-b px-5 py-2.5 text-base text-text">
            <span className="min-w-0 wrap-anywhere">{words}</span>
            <Button
              kind="quiet"
              size="sm"
              onClick={() =>
                setSearch((old) => FURTHER_FILTERS.reduce((next, name) => withParam(next, name, ''), old), {
                  preventScrollReset: true,
                })
              }
            >
              Clear
            </Button>
          </p>
        )}
        <MessageTable key={JSON.stringify(filter)} campaign={campaign} filter={filter} />
      </Card>
      {isSaving && (
        <SaveListDialog campaign={campaign} filter={filter} words={words} onClose={() => setIsSaving(false)} />
      )}
    </div>
  )
}

function MessageTable({ campaign, filter }: { campaign: Campaign; filter: RecipientFilter }) {
  const pages = useCursorPages()
  const [search, setSearch] = useSearchParams()
  const [open, setOpen] = useState<CampaignMessage | null>(null)
  const parsed = RecipientOrder.safeParse(search.get('sort'))
  const sort = parsed.success ? parsed.data : 'activity'
  const query = useMessages(campaign, { ...toQuery(filter), sort, ...(pages.cursor && { cursor: pages.cursor }) })
  const isFiltered = Object.values(filter).some(Boolean)
  return (
    <>
      <PagedTable
        label="Recipients"
        query={query}
        pages={pages}
        failure="The recipients could not be loaded"
        columns={buildColumns(campaign)}
        rowKey={(message) => message.id}
        onOpen={setOpen}
        sorting={{
          by: sort,
          order: sort === 'address' ? 'asc' : 'desc',
          onSort: (by) => {
            setSearch((old) => withParam(withParam(old, 'sort', by), 'cursor', ''), { preventScrollReset: true })
          },
        }}
        empty={
          <EmptyState drawing={<SearchDrawing />} title={isFiltered ? 'No recipients found' : 'No recipients yet'}>
            {isFiltered ? 'Try another filter or part of the address.' : 'Recipients are added when sending starts.'}
          </EmptyState>
        }
        count={(total) => plural(total, 'recipient')}
      />
      {open && <RecipientPanel campaignId={campaign.id} message={open} onClose={() => setOpen(null)} />}
    </>
  )
}

const icons: Partial<Record<RecipientEvent, typeof Eye>> = {
  opened: Eye,
  clicked: MousePointerClick,
  replied: MessageSquareReply,
  unsubscribed: UserMinus,
  delivered: Send,
  read: Eye,
  bounced: MailX,
}

/** What a recipient did, a sign for each; the exact time is on hover. */
function Deeds({ campaign, message }: { campaign: Campaign; message: CampaignMessage }) {
  const done = channels[campaign.channel].deeds.flatMap(({ event, label, at, isCounted }) => {
    const moment = at?.(message)
    return moment && isCounted(campaign) ? [{ event, text: `${label} ${formatMoment(moment)}`, label }] : []
  })
  if (done.length === 0) return <span className="text-muted">-</span>
  return (
    <span className="inline-flex gap-2 align-middle">
      {done.map(({ event, label, text }) => {
        const Icon = icons[event] ?? Eye
        return (
          <span key={event} title={text} className={event === 'clicked' ? 'text-chart-clicks' : 'text-accent-text'}>
            <Icon aria-hidden="true" className="size-4" />
            <span className="sr-only">{label}</span>
          </span>
        )
      })}
    </span>
  )
}

/** The state, and why somebody was skipped or got nothing. */
function Status({ message: { state, reason } }: { message: CampaignMessage }) {
  if (!['suppressed', 'failed', 'bounced'].includes(state) || !reason)
    return <MessageBadge state={state} reason={reason} />
  return (
    <div className="py-1.5">
      <MessageBadge state={state} reason={reason} />
      <span className="mt-0.5 block text-sm text-muted">{labelMessageReason(reason)}</span>
    </div>
  )
}

function buildColumns(campaign: Campaign): Column<CampaignMessage>[] {
  return [
    {
      id: 'address',
      header: channels[campaign.channel].address,
      sortable: true,
      cell: (message) => message.address,
    },
    { id: 'name', header: 'Name', wideOnly: true, cell: (message) => message.name || '-' },
    { id: 'state', header: 'Status', cell: (message) => <Status message={message} /> },
    { id: 'deeds', header: 'Activity', cell: (message) => <Deeds campaign={campaign} message={message} /> },
    {
      id: 'activity',
      header: 'Last activity',
      number: true,
      sortable: true,
      cell: ({ activityAt }) => <TimeAgo at={activityAt} />,
    },
  ]
}
