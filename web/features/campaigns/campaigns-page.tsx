import { Plus } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { CampaignState, type CampaignSummary } from '#contracts/campaigns/campaign.ts'
import { campaignLink } from '#web/channel-pages.ts'
import { useCursorPages } from '#web/ui/display/cursor-pager.tsx'
import type { Column } from '#web/ui/display/data-table.tsx'
import { PagedTable } from '#web/ui/display/paged-table.tsx'
import { ProgressBar } from '#web/ui/display/progress-bar.tsx'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { EmptyState } from '#web/ui/feedback/empty-state.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { FilterChips } from '#web/ui/form/filter-chips.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatMoment, formatNumber, formatShare } from '#web/ui/lib/format.ts'
import { FlightDrawing } from '#web/ui/theme/drawings.tsx'
import type { CampaignFigure } from './channels/channel.ts'
import { type Channel, useChannel } from './channels/index.ts'
import { useCampaigns } from './queries.ts'
import { CampaignMenu } from './report/actions/campaign-menu.tsx'
import { isPreparing, toProgressParts } from './report/live-panel.tsx'
import { CampaignBadge, campaignStates } from './states.tsx'

interface CampaignsPageProps {
  /** What has to be set up before a campaign can be made at all; it takes the place of New campaign. */
  before?: { title: string; text: string; to: string; label: string } | undefined
}

export default function CampaignsPage({ before }: CampaignsPageProps) {
  const [search] = useSearchParams()
  const { wizard, name } = useChannel()
  const parsed = CampaignState.safeParse(search.get('state'))
  const state = parsed.success ? parsed.data : undefined
  return (
    <>
      <PageHeader
        title="Campaigns"
        description={`All your ${name} campaigns`}
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
  return (
    <PagedTable
      label="Campaigns"
      query={query}
      pages={pages}
      failure="The campaigns could not be loaded"
      columns={buildColumns(channel)}
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
  )
}

/** When it was sent, will be, or was last edited. */
function When({ state, scheduledAt, startedAt, finishedAt, updatedAt }: CampaignSummary) {
  if (state === 'scheduled') return <span className="text-text">{formatMoment(scheduledAt)}</span>
  return <TimeAgo at={finishedAt ?? startedAt ?? updatedAt} />
}

const notYet = <span className="text-muted">-</span>

/** "26%" and how many people; "unknown" where it was not counted. */
function Figure({ figure, campaign }: { figure: CampaignFigure; campaign: CampaignSummary }) {
  const [count, rate] = [figure.count(campaign), figure.rate(campaign)]
  if (rate !== null)
    return (
      <>
        {formatShare(rate)} <span className="text-muted">({formatNumber(count)})</span>
      </>
    )
  return count === null && campaign.counts.sent > 0 ? <span className="text-muted">unknown</span> : notYet
}

/** How many were sent; how far it is while it sends. */
function Sent({ campaign: { state, counts } }: { campaign: CampaignSummary }) {
  if (isPreparing({ state, counts })) return <span className="text-muted">Preparing</span>
  if (counts.recipients === 0) return notYet
  if (state !== 'sending' && state !== 'paused') return formatNumber(counts.sent)
  return (
    <span className="inline-block w-32 max-w-full text-left align-middle">
      <span className="block text-right">
        {formatNumber(counts.sent)} of {formatNumber(counts.recipients)}
      </span>
      <ProgressBar label="Progress" parts={toProgressParts(counts)} total={counts.recipients} />
    </span>
  )
}

const common: Column<CampaignSummary>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (campaign) => <span className="block wrap-anywhere md:max-w-56 md:truncate">{campaign.name}</span>,
  },
  { id: 'state', header: 'Status', cell: (campaign) => <CampaignBadge state={campaign.state} /> },
  { id: 'sent', header: 'Sent', number: true, cell: (campaign) => <Sent campaign={campaign} /> },
]

const buildColumns = ({ figures }: Channel): Column<CampaignSummary>[] => [
  ...common,
  ...figures.map((figure) => ({
    id: figure.id,
    header: figure.header,
    number: true,
    cell: (campaign: CampaignSummary) => <Figure figure={figure} campaign={campaign} />,
  })),
  { id: 'when', header: 'Date', number: true, cell: (campaign) => <When {...campaign} /> },
  {
    id: 'actions',
    header: <span className="sr-only">Actions</span>,
    actions: true,
    cell: (campaign) => <CampaignMenu campaign={campaign} isInList />,
  },
]
