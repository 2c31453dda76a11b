import type { useSubscription } from '#web/features/accounts/index.ts'
import { formatNumber } from '#web/ui/format.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Stat } from '#web/ui/stat.tsx'
import { planLabel } from './user-badge.ts'

/** "of 1,000"; a null limit is none. */
function ofLimit(limit: number | null): string {
  return limit === null ? 'without a limit' : `of ${formatNumber(limit)}`
}

/** What is used of the plan, as three tiles. */
export function UsageStats({ subscription }: { subscription: ReturnType<typeof useSubscription>['data'] }) {
  if (!subscription)
    return (
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {['emails', 'contacts', 'plan'].map((name) => (
          <Skeleton key={name} className="h-26.5 rounded-card" />
        ))}
      </div>
    )
  const { usage, limits, currentPlan } = subscription
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
      <Stat
        label="E-mails this month"
        value={formatNumber(usage.emails)}
        note={ofLimit(limits.emails)}
        to="/mail-dash"
      />
      <Stat label="Contacts" value={formatNumber(usage.contacts)} note={ofLimit(limits.contacts)} to="/contacts" />
      <Stat
        label="Plan"
        value={planLabel(currentPlan)}
        note="See what it allows"
        to="/plan"
        className="max-sm:col-span-2"
      />
    </div>
  )
}
