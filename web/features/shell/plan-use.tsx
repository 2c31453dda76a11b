import { Link } from 'react-router'
import type { useSubscription } from '#web/features/accounts/index.ts'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatNumber } from '#web/ui/format.ts'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { planLabel } from './user-badge.ts'

/** One limit of a plan and how much of it is used. */
export function PlanBar({ label, used, limit }: { label: string; used: number | null; limit: number | null }) {
  const share = limit && used !== null ? used / limit : 0
  return (
    <div>
      <p className="mb-1.5 flex flex-wrap items-baseline justify-between gap-x-4 text-base">
        <span className="font-medium text-ink">{label}</span>
        <span className="text-muted tabular-nums">
          {formatNumber(used)} {limit === null ? 'used, no limit' : `of ${formatNumber(limit)} used`}
          {share >= 1 && ' · used up'}
        </span>
      </p>
      {limit !== null && (
        <ProgressBar
          label={label}
          total={limit}
          parts={[
            {
              label: 'used',
              value: Math.min(used ?? 0, limit),
              tone: share >= 1 ? 'harm' : share >= 0.8 ? 'attention' : 'accent',
            },
          ]}
        />
      )}
    </div>
  )
}

/** How much of the plan is used, on the dashboard. */
export function PlanUse({ subscription }: { subscription: ReturnType<typeof useSubscription> }) {
  const { data } = subscription
  return (
    <Card
      title={data ? planLabel(data.currentPlan) : 'Your plan'}
      action={
        <Link to="/plan" className="rounded-[3px] text-sm font-medium text-accent-text hover:underline">
          See the plans
        </Link>
      }
    >
      {data ? (
        <div className="space-y-4">
          <PlanBar label="E-mails this month" used={data.usage.emails} limit={data.limits.emails} />
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
