import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { type Campaign, type CampaignMessage, MessageState } from '#contracts/campaigns/campaign.ts'
import { campaigns } from '#contracts/campaigns/campaigns.ts'
import { api, errorMessage } from '#web/api.ts'
import { useCursorPages } from '#web/ui/display/cursor-pager.tsx'
import type { Column } from '#web/ui/display/data-table.tsx'
import { PagedTable } from '#web/ui/display/paged-table.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { FilterChips } from '#web/ui/form/filter-chips.tsx'
import { UrlSearch } from '#web/ui/form/url-search.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { formatMoment, plural } from '#web/ui/lib/format.ts'
import { saveFile } from '#web/ui/lib/save-file.ts'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { SearchDrawing } from '#web/ui/theme/drawings.tsx'
import { channels } from '../channels/index.ts'
import { useMessages } from '../queries.ts'
import { MessageBadge, messageStates } from '../states.tsx'
import { RecipientPanel } from './recipient-panel.tsx'

/** The campaign recipient by recipient, with the state in the address and each one's story a press away. */
export function Recipients({ campaign }: { campaign: Campaign }) {
  const [search] = useSearchParams()
  const location = useLocation()
  const top = useRef<HTMLDivElement>(null)
  const parsed = MessageState.safeParse(search.get('state'))
  const state = parsed.success ? parsed.data : undefined
  const q = search.get('q') ?? ''
  const [busy, setBusy] = useState(false)
  // A number was pressed: its list comes into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each press counts, the same one too
  useEffect(() => {
    if (location.hash === '#recipients') top.current?.scrollIntoView({ block: 'start' })
  }, [location.key])
  async function exportCsv() {
    setBusy(true)
    try {
      await saveFile(
        await api(campaigns.exportMessages, { params: { id: campaign.id }, query: state ? { state } : {} }),
        'recipients.csv',
      )
    } catch (error) {
      toast.error(`The export failed. ${errorMessage(error)}`)
    } finally {
      setBusy(false)
    }
  }
  const shown = messageStates.filter(({ value }) => campaign.counts[value] > 0 || value === state)
  return (
    <div ref={top} id="recipients" className="scroll-mt-4">
      <Card
        title="Recipients"
        flush
        action={
          <Button size="sm" busy={busy} onClick={exportCsv}>
            Export CSV
          </Button>
        }
      >
        <div className="flex flex-wrap items-center gap-3 border-b px-5 pb-4">
          <UrlSearch label="Search recipients" className="w-full sm:w-64" />
          <FilterChips
            param="state"
            label="Status"
            options={shown.map((one) => ({ ...one, count: campaign.counts[one.value] }))}
          />
        </div>
        <MessageTable key={`${state} ${q}`} campaign={campaign} state={state} q={q} />
      </Card>
    </div>
  )
}

function MessageTable({ campaign, state, q }: { campaign: Campaign; state: MessageState | undefined; q: string }) {
  const pages = useCursorPages()
  const [open, setOpen] = useState<CampaignMessage | null>(null)
  const query = useMessages(campaign.id, { state, q: q || undefined, cursor: pages.cursor })
  return (
    <>
      <PagedTable
        label="Recipients"
        query={query}
        pages={pages}
        failure="The recipients could not be loaded"
        columns={columnsFor(campaign)}
        rowKey={(message) => message.id}
        onOpen={setOpen}
        empty={
          <EmptyState drawing={<SearchDrawing />} title={state || q ? 'No recipients found' : 'No recipients yet'}>
            {state || q ? 'Try another status or part of the address.' : 'Recipients are added when sending starts.'}
          </EmptyState>
        }
        count={(total) => plural(total, 'recipient')}
      />
      {open && <RecipientPanel campaignId={campaign.id} message={open} onClose={() => setOpen(null)} />}
    </>
  )
}

function columnsFor(campaign: Campaign): Column<CampaignMessage>[] {
  const { address, moments } = channels[campaign.channel]
  return [
    { id: 'address', header: address, cell: (message) => message.address },
    { id: 'name', header: 'Name', wideOnly: true, cell: (message) => message.name },
    { id: 'state', header: 'Status', cell: (message) => <MessageBadge state={message.state} /> },
    { id: 'sent', header: 'Sent', number: true, cell: ({ sentAt }) => (sentAt ? formatMoment(sentAt) : '') },
    ...moments.map(
      ({ header, at, isCounted }): Column<CampaignMessage> => ({
        id: header,
        header,
        number: true,
        wideOnly: true,
        cell: (message) => {
          if (!isCounted(campaign)) return <span className="text-muted">-</span>
          const moment = at(message)
          return moment ? formatMoment(moment) : ''
        },
      }),
    ),
  ]
}
