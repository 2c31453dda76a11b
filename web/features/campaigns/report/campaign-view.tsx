import { useEffect } from 'react'
import { Navigate, useParams } from 'react-router'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { campaignLink } from '#web/channel-pages.ts'
import { TimeAgo } from '#web/ui/display/time-ago.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { CampaignActions } from '../campaign-actions.tsx'
import { useChannel } from '../channels/index.ts'
import { useCampaign } from '../queries.ts'
import { CampaignBadge } from '../states.tsx'
import { ReportActions } from './actions/campaign-menu.tsx'
import { readableText } from './labels.ts'
import { useLive } from './live.ts'
import { isPreparing, LivePanel, tabTitle } from './live-panel.tsx'
import { Recipients } from './people/recipients.tsx'
import { Report } from './report.tsx'

/** A campaign on its way and afterwards. `report`: what it came to, where that is not told as an email's is. */
export function CampaignPage({ report: Told = Report }: { report?: React.ComponentType<{ campaign: Campaign }> }) {
  const { id = '' } = useParams()
  const channel = useChannel()
  const query = useCampaign(id)
  const { live, log } = useLive(query.data)
  const title = query.data ? tabTitle(query.data) : 'Campaign · Postlark'
  useEffect(() => {
    document.title = title
  }, [title])
  if (query.isError && !query.data)
    return <ErrorState title="The campaign could not be opened" error={query.error} onRetry={() => query.refetch()} />
  if (!query.data) return <SkeletonRows />
  const campaign = query.data
  // A draft is in its wizard, and another channel's campaign among its own.
  if (campaign.state === 'draft' || campaign.channel !== channel.id)
    return <Navigate replace to={campaignLink(campaign)} />
  const moving = campaign.state === 'sending' || campaign.state === 'scheduled' || campaign.state === 'paused'
  const content = readableText(channel.describeContent(campaign))
  return (
    <>
      <PageHeader
        title={<span className="wrap-anywhere">{campaign.name}</span>}
        description={
          <>
            {content}
            {campaign.startedAt && (
              <>
                {content && ' · '}
                {moving ? 'Started' : 'Sent'} <TimeAgo at={campaign.startedAt} />
              </>
            )}
          </>
        }
        back={{ to: channel.list, label: 'Campaigns' }}
        badge={<CampaignBadge state={campaign.state} />}
        action={
          <>
            <CampaignActions campaign={campaign} />
            <ReportActions campaign={campaign} />
          </>
        }
      />
      <div className="space-y-5">
        {campaign.isSample && (
          <Banner>This is sample data. Nothing was sent, and it counts toward no plan, figure or average.</Banner>
        )}
        {(moving || campaign.stateText !== '') && <LivePanel campaign={campaign} live={live} log={log} />}
        {campaign.state !== 'scheduled' && !isPreparing(campaign) && (
          <>
            <Told campaign={campaign} />
            <Recipients campaign={campaign} />
          </>
        )}
      </div>
    </>
  )
}
