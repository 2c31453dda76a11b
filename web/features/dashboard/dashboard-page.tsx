import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { SampleCard } from '#web/features/samples/index.ts'
import { usePlan, useSubscription, useUser } from '#web/session/queries.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { useActivityChoice } from './activity-choice.ts'
import { Attention } from './attention.tsx'
import { FirstSteps } from './first-steps.tsx'
import { PlanUse } from './plan-use.tsx'
import { useActivity, useDashboard } from './queries.ts'
import { findTool, ToolCards } from './tool-cards.tsx'

/** Loaded once there is a result: a new user needs the steps alone. */
const Results = lazy(() => import('./results.tsx'))

export const meta = () => [{ title: 'Dashboard · Postlark' }]

/** Before the first campaign the steps to it; afterwards what campaigns did, what comes next and what needs the user. `?service=` shows a tool first. */
export default function DashboardPage() {
  const { data: user } = useUser()
  const wanted = findTool(useSearchParams()[0].get('service'))
  const plan = usePlan()
  const progress = useDashboard()
  const hasSent = progress.data?.steps.sent
  const first = user?.name.trim().split(/\s+/)[0]
  return (
    <>
      <PageHeader
        title={first ? `Hello, ${first}` : 'Hello'}
        description={hasSent ? 'Here’s how your campaigns are performing.' : 'Five steps to your first campaign.'}
        action={
          hasSent && (
            <ButtonLink kind="primary" to="/email-sender/new">
              Create campaign
            </ButtonLink>
          )
        }
      />
      <div className="space-y-6">
        {wanted && <ToolCards free={plan && !plan.paid} wanted={wanted} />}
        {progress.isError ? (
          <Card>
            <ErrorState
              title="The figures could not be loaded"
              error={progress.error}
              onRetry={() => progress.refetch()}
            />
          </Card>
        ) : progress.data ? (
          <Content steps={progress.data.steps} />
        ) : (
          <SkeletonRows rows={8} />
        )}
      </div>
    </>
  )
}

type Steps = NonNullable<ReturnType<typeof useDashboard>['data']>['steps']

function Content({ steps }: { steps: Steps }) {
  const query = useActivity(useActivityChoice())
  const subscription = useSubscription()
  const activity = query.data
  const attention = activity && <Attention items={activity.attention} subscription={subscription} />
  if (!steps.sent)
    return (
      <>
        <FirstSteps steps={steps} />
        <SampleCard isOffered />
        <div className="grid items-start gap-5 wide:grid-cols-2">
          {attention}
          <PlanUse subscription={subscription} />
        </div>
      </>
    )
  if (query.isError && !activity)
    return (
      <Card>
        <ErrorState title="The activity could not be loaded" error={query.error} onRetry={() => query.refetch()} />
      </Card>
    )
  return (
    <Suspense fallback={<SkeletonRows rows={8} />}>
      <Results activity={activity} attention={attention} plan={<PlanUse subscription={subscription} />} />
      <SampleCard isOffered={false} />
    </Suspense>
  )
}
