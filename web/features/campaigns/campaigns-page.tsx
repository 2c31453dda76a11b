import { useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { type Campaign, CampaignState, campaigns as contract } from '#contracts/campaigns.ts'
import { api } from '#web/api.ts'
import { ButtonLink, IconButton } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { CursorPager, useCursorPages } from '#web/ui/cursor-pager.tsx'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { FlightDrawing } from '#web/ui/drawings.tsx'
import { Menu, MenuItem } from '#web/ui/dropdown-menu.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FilterChips } from '#web/ui/filter-chips.tsx'
import { formatDay, formatMoment, formatNumber, formatShare } from '#web/ui/format.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { campaignPlace, useChannel } from './channels.ts'
import { useCampaigns } from './queries.ts'
import { CampaignBadge, campaignStates } from './states.tsx'

export const meta = () => [{ title: 'Campaigns · Postlark' }]

type Item = Omit<Campaign, 'html'>

export default function CampaignsPage() {
  const [search] = useSearchParams()
  const { wizard } = useChannel()
  const parsed = CampaignState.safeParse(search.get('state'))
  const state = parsed.success ? parsed.data : undefined
  return (
    <>
      <PageHeader
        title="Campaigns"
        description="What you sent, what is on its way, and how it went."
        action={
          <ButtonLink kind="primary" to={wizard} icon={<Plus aria-hidden="true" className="size-4" />}>
            New campaign
          </ButtonLink>
        }
      />
      <div className="mb-4">
        <FilterChips param="state" label="State" options={campaignStates} />
      </div>
      <Card flush>
        <CampaignTable key={state} state={state} />
      </Card>
    </>
  )
}

function CampaignTable({ state }: { state: CampaignState | undefined }) {
  const pages = useCursorPages()
  const channel = useChannel()
  const query = useCampaigns({ channel: channel.id, state, cursor: pages.cursor })
  const [removing, setRemoving] = useState<Item | null>(null)
  if (query.isError && !query.data)
    return <ErrorState title="The campaigns could not be loaded" error={query.error} onRetry={() => query.refetch()} />
  return (
    <>
      <DataTable
        label="Campaigns"
        columns={[...columnsOf(channel.id), actionsColumn(setRemoving)]}
        rows={query.data?.items}
        rowKey={(campaign) => campaign.id}
        href={campaignPlace}
        stale={query.isPlaceholderData}
        empty={
          state ? (
            <EmptyState
              drawing={<FlightDrawing />}
              title={`No campaign is ${state === 'draft' ? 'a draft' : state}`}
              action={<ButtonLink to={channel.list}>Show all campaigns</ButtonLink>}
            />
          ) : (
            <EmptyState
              drawing={<FlightDrawing />}
              title="No campaign yet"
              action={
                <ButtonLink kind="primary" to={channel.wizard}>
                  New campaign
                </ButtonLink>
              }
            >
              {channel.id === 'whatsapp'
                ? 'A few questions lead from an approved template and people who agreed to a sent, counted campaign.'
                : 'A few questions lead from a letter and a list to a sent, counted campaign.'}
            </EmptyState>
          )
        }
        footer={<CursorPager pages={pages} nextCursor={query.data?.nextCursor} busy={query.isPlaceholderData} />}
      />
      <RemoveCampaign campaign={removing} onClose={() => setRemoving(null)} />
    </>
  )
}

function when({ state, scheduledAt, startedAt, finishedAt, updatedAt }: Item): string {
  if (state === 'scheduled') return formatMoment(scheduledAt)
  return formatDay(finishedAt ?? startedAt ?? updatedAt)
}

const notYet = <span className="text-muted">not yet</span>

/** "312 (26 %)"; "unknown" where it was not counted. */
function figure(count: number, counted: boolean, campaign: Item): React.ReactNode {
  if (campaign.counts.sent === 0) return notYet
  if (!counted) return <span className="text-muted">unknown</span>
  return (
    <>
      {formatNumber(count)} <span className="text-muted">({formatShare(count / campaign.counts.sent)})</span>
    </>
  )
}

const common: Column<Item>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (campaign) => <span className="block wrap-anywhere md:max-w-56 md:truncate">{campaign.name}</span>,
  },
  { id: 'state', header: 'State', cell: (campaign) => <CampaignBadge state={campaign.state} /> },
  {
    id: 'sent',
    header: 'Sent',
    number: true,
    cell: (campaign) =>
      campaign.counts.recipients === 0
        ? notYet
        : `${formatNumber(campaign.counts.sent)} of ${formatNumber(campaign.counts.recipients)}`,
  },
]

const mailFigures: Column<Item>[] = [
  {
    id: 'opened',
    header: 'Opened',
    number: true,
    cell: (campaign) => figure(campaign.opened, campaign.trackOpens, campaign),
  },
  {
    id: 'clicked',
    header: 'Clicked',
    number: true,
    cell: (campaign) => figure(campaign.clicked, campaign.trackClicks, campaign),
  },
]

const whatsAppFigures: Column<Item>[] = (['delivered', 'read', 'replied'] as const).map((key) => ({
  id: key,
  header: { delivered: 'Delivered', read: 'Read', replied: 'Replied' }[key],
  number: true,
  cell: (campaign) => figure(campaign.delivery?.[key] ?? 0, campaign.delivery !== null, campaign),
}))

const columnsOf = (channel: Campaign['channel']): Column<Item>[] => [
  ...common,
  ...(channel === 'whatsapp' ? whatsAppFigures : mailFigures),
  { id: 'when', header: 'When', number: true, cell: when },
]

function actionsColumn(onRemove: (campaign: Item) => void): Column<Item> {
  return {
    id: 'actions',
    header: <span className="sr-only">Actions</span>,
    actions: true,
    cell: (campaign) =>
      ['sending', 'scheduled', 'paused'].includes(campaign.state) ? null : (
        <Menu
          trigger={
            <IconButton size="sm" label={`Actions for ${campaign.name}`}>
              <MoreHorizontal aria-hidden="true" className="size-4" />
            </IconButton>
          }
        >
          <MenuItem harm onSelect={() => onRemove(campaign)}>
            Remove campaign
          </MenuItem>
        </Menu>
      ),
  }
}

function RemoveCampaign({ campaign, onClose }: { campaign: Item | null; onClose: () => void }) {
  const queries = useQueryClient()
  if (!campaign) return null
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Remove ${campaign.name}?`}
      action="Remove campaign"
      typed={campaign.name}
      onConfirm={async () => {
        await api(contract.remove, { params: { id: campaign.id } })
        await queries.invalidateQueries({ queryKey: ['campaigns', 'list'] })
      }}
    >
      {campaign.state === 'draft'
        ? 'The draft and its answers are gone. Its template and its lists stay.'
        : campaign.channel === 'whatsapp'
          ? 'Its report goes with it. What was said stays in the inbox, and who opted out stays so.'
          : 'Its report goes with it. Unsubscribes stay, and links in letters that were sent go on working.'}
    </ConfirmDialog>
  )
}
