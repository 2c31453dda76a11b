import { Link } from 'react-router'
import { PlanBar } from '#web/features/billing/index.ts'
import { planLabel } from '#web/features/shell/index.ts'
import type { useSubscription } from '#web/session/queries.ts'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Card } from '#web/ui/layout/card.tsx'

/** How much of the plan is used, on the dashboard. */
export function PlanUse({ subscription }: { subscription: ReturnType<typeof useSubscription> }) {
  const { data } = subscription
  return (
    <Card
      title={data ? planLabel(data.currentPlan) : 'Your plan'}
      action={
        <Link to="/plan" className="rounded-[3px] text-sm font-medium text-accent-text hover:underline">
          View plans
        </Link>
      }
    >
      {data ? (
        <div className="space-y-4">
          <PlanBar label="Emails this month" used={data.usage.emails} limit={data.limits.emails} />
          <PlanBar label="Contacts" used={data.usage.contacts} limit={data.limits.contacts} />
        </div>
      ) : subscription.isError ? (
        <ErrorState
          title="Your plan could not be loaded"
          error={subscription.error}
          onRetry={() => subscription.refetch()}
        />
      ) : (
        <SkeletonRows rows={2} />
      )}
    </Card>
  )
}
