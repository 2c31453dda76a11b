import { useSearchParams } from 'react-router'
import { channelPages } from '#web/channel-pages.ts'
import { usePlan, useSubscription, useUser } from '#web/session/queries.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { FirstSteps } from './first-steps.tsx'
import { LatestCampaigns } from './latest-campaigns.tsx'
import { MonthStats } from './month-stats.tsx'
import { NextCampaign } from './next-campaign.tsx'
import { PlanUse } from './plan-use.tsx'
import { useDashboard, useLatestCampaigns } from './queries.ts'
import { findTool, ToolCards } from './tool-cards.tsx'

export const meta = () => [{ title: 'Dashboard · Postlark' }]

/** What happened, what comes next, what to do, and a card a tool. `?service=` brings a tool to the front. */
export default function DashboardPage() {
  const { data: user } = useUser()
  const wanted = findTool(useSearchParams()[0].get('service'))
  const plan = usePlan()
  const figures = useDashboard()
  const first = user?.name.trim().split(/\s+/)[0]
  const tools = <ToolCards free={plan && !plan.paid} wanted={wanted} />
  return (
    <>
      <PageHeader
        title={first ? `Hello, ${first}` : 'Hello'}
        description={
          figures.data?.steps.sent ? 'Here’s how your email is performing.' : 'Five steps to your first campaign.'
        }
        action={
          <ButtonLink kind="primary" to={channelPages.email.wizard}>
            Start a campaign
          </ButtonLink>
        }
      />
      <div className="space-y-8">
        {wanted && tools}
        {figures.isError ? (
          <Card>
            <ErrorState
              title="The figures could not be loaded"
              error={figures.error}
              onRetry={() => figures.refetch()}
            />
          </Card>
        ) : (
          <MonthStats figures={figures.data} scrapers={plan?.paid === true} />
        )}
        <Work figures={figures.data} />
        {!wanted && tools}
      </div>
    </>
  )
}

/** Campaigns on the left; what comes next on the right. */
function Work({ figures }: { figures: ReturnType<typeof useDashboard>['data'] }) {
  const subscription = useSubscription()
  const latest = useLatestCampaigns()
  return (
    <div className="grid items-start gap-5 wide:grid-cols-5">
      <div className="min-w-0 space-y-5 wide:col-span-3">
        <LatestCampaigns campaigns={latest} />
        <PlanUse subscription={subscription} />
      </div>
      <div className="min-w-0 space-y-5 max-wide:-order-1 wide:col-span-2">
        {/* Who has been all the way is shown what comes, before what is done. */}
        {figures?.steps.sent && <NextCampaign next={figures.next} />}
        <FirstSteps steps={figures?.steps} />
        {!figures?.steps.sent && <NextCampaign next={figures?.next} />}
      </div>
    </div>
  )
}
