import { Check } from 'lucide-react'
import { isPaid, plans } from '#contracts/plans.ts'
import { useSubscription } from '#web/features/accounts/index.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatDay, formatNumber } from '#web/ui/format.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { PlanBar } from './plan-use.tsx'
import { planLabel } from './user-badge.ts'

export const meta = () => [{ title: 'Subscription Plan · Postlark' }]

export default function PlanPage() {
  const subscription = useSubscription()
  const status = subscription.data
  return (
    <div className="max-w-3xl">
      <PageHeader title="Subscription Plan" description="What your plan allows, and how much of it is used." />
      <div className="space-y-5">
        {subscription.isError && (
          <Card>
            <ErrorState
              title="Your plan could not be loaded"
              error={subscription.error}
              onRetry={() => subscription.refetch()}
            />
          </Card>
        )}
        {subscription.isPending && <SkeletonRows rows={4} />}
        {status && (
          <>
            <Banner>
              Changing plans is not available in this version yet. Whoever runs this installation can change yours.
            </Banner>
            <Card title={planLabel(status.currentPlan)} description={renewal(status)}>
              <div className="space-y-5">
                <PlanBar label="E-mails this month" used={status.usage.emails} limit={status.limits.emails} />
                <PlanBar label="Contacts" used={status.usage.contacts} limit={status.limits.contacts} />
              </div>
            </Card>
            <PlanTable current={status.currentPlan} />
          </>
        )}
      </div>
    </div>
  )
}

function renewal(status: { currentPlan: string; renewsAt: string | null; cancelAtPeriodEnd: boolean }): string {
  if (!isPaid(status.currentPlan)) return 'Free, without an end.'
  if (!status.renewsAt) return 'Without an end date.'
  return status.cancelAtPeriodEnd
    ? `Ends on ${formatDay(status.renewsAt)}.`
    : `Renews on ${formatDay(status.renewsAt)}.`
}

function PlanTable({ current }: { current: string }) {
  return (
    <Card title="What each plan allows" flush>
      <table className="w-full text-base">
        <caption className="sr-only">Limits of every plan</caption>
        <thead>
          <tr className="border-b text-xs text-muted">
            <th scope="col" className="h-9 px-5 text-left font-medium">
              Plan
            </th>
            <th scope="col" className="px-3 text-right font-medium">
              Contacts
            </th>
            <th scope="col" className="px-3 text-right font-medium">
              E-mails a month
            </th>
            <th scope="col" className="px-5 text-right font-medium max-sm:sr-only">
              Gmail and scrapers
            </th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(plans).map(([name, limits]) => (
            <tr key={name} className="border-b last:border-0">
              <th scope="row" className="h-11 px-5 text-left font-medium text-ink">
                <span className="flex flex-wrap items-center gap-x-2">
                  <span className="capitalize">{name}</span>
                  {name === current.toLowerCase() && <Badge tone="accent">yours</Badge>}
                </span>
              </th>
              <td className="px-3 text-right">
                {limits.contacts === null ? 'no limit' : formatNumber(limits.contacts)}
              </td>
              <td className="px-3 text-right">{formatNumber(limits.emails)}</td>
              <td className="px-5 text-right max-sm:sr-only">
                {isPaid(name) ? (
                  <>
                    <Check aria-hidden="true" className="ml-auto size-4 text-good-text" />
                    <span className="sr-only">included</span>
                  </>
                ) : (
                  <span className="text-muted">not included</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
