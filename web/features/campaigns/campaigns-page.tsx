import { useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { CampaignState, type CampaignSummary } from '#contracts/campaigns/campaign.ts'
import { campaigns as contract } from '#contracts/campaigns/campaigns.ts'
import { api } from '#web/api.ts'
import { campaignLink } from '#web/channel-pages.ts'
import { useCursorPages } from '#web/ui/display/cursor-pager.tsx'
import type { Column } from '#web/ui/display/data-table.tsx'
import { PagedTable } from '#web/ui/display/paged-table.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ButtonLink, IconButton } from '#web/ui/form/button.tsx'
import { FilterChips } from '#web/ui/form/filter-chips.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatDay, formatMoment, formatNumber, formatShare } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Menu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { FlightDrawing } from '#web/ui/theme/drawings.tsx'
import { type Channel, channels, useChannel } from './channels/index.ts'
import { useCampaigns } from './queries.ts'
import { CampaignBadge, campaignStates } from './states.tsx'

interface CampaignsPageProps {
  /** What has to be set up before a campaign can be made at all; it takes the place of New campaign. */
  before?: { title: string; text: string; to: string; label: string } | undefined
}

export default function CampaignsPage({ before }: CampaignsPageProps) {
  const [search] = useSearchParams()
  const { wizard } = useChannel()
  const parsed = CampaignState.safeParse(search.get('state'))
  const state = parsed.success ? parsed.data : undefined
  return (
    <>
      <PageHeader
        title="Campaigns"
        description="All your campaigns"
        action={
          !before && (
            <ButtonLink kind="primary" to={wizard} icon={<Plus aria-hidden="true" className="size-4" />}>
              New campaign
            </ButtonLink>
          )
        }
      />
      <div className="mb-4">
        <FilterChips param="state" label="State" options={campaignStates} />
      </div>
      <Card flush>
        <CampaignTable key={state} state={state} before={before} />
      </Card>
    </>
  )
}

function CampaignTable({ state, before }: CampaignsPageProps & { state: CampaignState | undefined }) {
  const pages = useCursorPages()
  const channel = useChannel()
  const query = useCampaigns({ channel: channel.id, state, cursor: pages.cursor })
  const [removing, setRemoving] = useState<CampaignSummary | null>(null)
  return (
    <>
      <PagedTable
        label="Campaigns"
        query={query}
        pages={pages}
        failure="The campaigns could not be loaded"
        columns={[...buildColumns(channel), actionsColumn(setRemoving)]}
        rowKey={(campaign) => campaign.id}
        href={campaignLink}
        empty={
          state ? (
            <EmptyState
              drawing={<FlightDrawing />}
              title={`No ${state === 'cancelled' ? 'canceled' : state} campaigns`}
              action={<ButtonLink to={channel.list}>Show all campaigns</ButtonLink>}
            />
          ) : (
            <EmptyState
              drawing={<FlightDrawing />}
              title={before?.title ?? 'No campaigns yet'}
              action={
                <ButtonLink kind="primary" to={before?.to ?? channel.wizard}>
                  {before?.label ?? 'New campaign'}
                </ButtonLink>
              }
            >
              {before?.text ?? channel.invitation}
            </EmptyState>
          )
        }
      />
      <RemoveCampaign campaign={removing} onClose={() => setRemoving(null)} />
    </>
  )
}

function when({ state, scheduledAt, startedAt, finishedAt, updatedAt }: CampaignSummary): string {
  if (state === 'scheduled') return formatMoment(scheduledAt)
  return formatDay(finishedAt ?? startedAt ?? updatedAt)
}

const notYet = <span className="text-muted">-</span>

/** "312 (26%)"; "unknown" where it was not counted. */
function figure(count: number | null, { counts }: CampaignSummary): React.ReactNode {
  if (counts.sent === 0) return notYet
  if (count === null) return <span className="text-muted">unknown</span>
  return (
    <>
      {formatNumber(count)} <span className="text-muted">({formatShare(count / counts.sent)})</span>
    </>
  )
}

const common: Column<CampaignSummary>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (campaign) => <span className="block wrap-anywhere md:max-w-56 md:truncate">{campaign.name}</span>,
  },
  { id: 'state', header: 'Status', cell: (campaign) => <CampaignBadge state={campaign.state} /> },
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

const buildColumns = ({ figures }: Channel): Column<CampaignSummary>[] => [
  ...common,
  ...figures.map(({ id, header, count }) => ({
    id,
    header,
    number: true,
    cell: (campaign: CampaignSummary) => figure(count(campaign), campaign),
  })),
  { id: 'when', header: 'Date', number: true, cell: when },
]

function actionsColumn(onRemove: (campaign: CampaignSummary) => void): Column<CampaignSummary> {
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

function RemoveCampaign({ campaign, onClose }: { campaign: CampaignSummary | null; onClose: () => void }) {
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
        ? 'This deletes the draft. Its template and lists are not deleted.'
        : channels[campaign.channel].removal}
    </ConfirmDialog>
  )
}
