import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { PaymentReversal, SubscriptionStatus } from '#contracts/billing/billing.ts'
import { isPaid } from '#contracts/billing/plans.ts'
import { useSubscription } from '#web/session/queries.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { ErrorState } from '#web/ui/feedback/error-state.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PageHeader } from '#web/ui/layout/page-header.tsx'
import { formatDay } from '#web/ui/lib/format.ts'
import { ChoosePlan } from './choose-plan.tsx'
import { Invoices } from './invoices.tsx'
import { describeForecast, describeRenewal, money, planTitle } from './labels.ts'
import { findPaidTool, LockedTool } from './locked-tool.tsx'
import { PlanActions, PortalButton } from './plan-actions.tsx'
import { PlanBar } from './plan-bar.tsx'
import { Reversals } from './reversals/reversals.tsx'
import { keepWantedTool } from './wanted-tool.ts'

export const meta = () => [{ title: 'Subscription Plan · Postlark' }]

/** What the plan allows and how much of it is used, and every way to change it. */
export default function PlanPage() {
  const subscription = useSubscription()
  const status = subscription.data
  const wanted = (useLocation().state as { tool?: string } | null)?.tool
  const locked = findPaidTool(wanted)
  const isLocked = locked !== undefined && status !== undefined && !isPaid(status.currentPlan)
  useEffect(() => {
    if (wanted) keepWantedTool(wanted)
  }, [wanted])
  return (
    <div className="max-w-4xl">
      <PageHeader title="Subscription Plan" description="Your plan, limits and usage." />
      <div className="space-y-5">
        {subscription.isError && !status && (
          <Card>
            <ErrorState
              title="Your plan could not be loaded"
              error={subscription.error}
              onRetry={() => subscription.refetch()}
            />
          </Card>
        )}
        {subscription.isPending && <SkeletonRows rows={6} />}
        {status && (
          <>
            <Notices status={status} />
            {isLocked && <LockedTool tool={locked} />}
            {isLocked && <ChoosePlan status={status} />}
            <CurrentPlan status={status} />
            {!isLocked && <ChoosePlan status={status} />}
            <Invoices />
            <Reversals />
          </>
        )}
      </div>
    </div>
  )
}

function Notices({ status }: { status: SubscriptionStatus }) {
  const [search] = useSearchParams()
  return (
    <>
      {search.get('checkout') === 'left' && (
        <Banner>You left the payment page. Nothing was charged, and your plan was not changed.</Banner>
      )}
      {status.paymentFailedAt && (
        <Banner tone="attention" title="Your last payment failed" action={<PortalButton label="Change card" />}>
          It failed on {formatDay(status.paymentFailedAt)} and will be retried automatically. Your plan stays active for
          now.
        </Banner>
      )}
      {status.closedBy && <PlanClosed by={status.closedBy} />}
      {status.payments === 'none' && (
        <Banner>Payments are not set up on this server. Your administrator can set your plan.</Banner>
      )}
    </>
  )
}

/** Why a plan that was paid for is closed, and what opens it again. */
function PlanClosed({ by }: { by: PaymentReversal }) {
  const amount = `${money(by.amount, by.currency)}${by.invoice?.number ? ` for invoice ${by.invoice.number}` : ''}`
  if (by.kind === 'refund')
    return (
      <Banner title="Your payment was refunded">
        {amount} was refunded on {formatDay(by.createdAt)}, and your plan ended with it. You can choose a plan again at
        any time.
      </Banner>
    )
  if (by.state === 'lost')
    return (
      <Banner title="Your disputed payment was returned">
        Your bank returned {amount}, and your plan ended with it. You can choose a plan again at any time.
      </Banner>
    )
  return (
    <Banner tone="attention" title="Your payment is disputed">
      On {formatDay(by.createdAt)} your bank disputed {amount}. Your plan is closed until the bank decides. If this is a
      mistake, ask your bank to withdraw the dispute.
    </Banner>
  )
}

function stateBadge(status: SubscriptionStatus) {
  if (status.state === 'pastDue')
    return (
      <Badge tone="attention" shape="warning">
        Payment failed
      </Badge>
    )
  if (status.cancelAtPeriodEnd && !status.byHand) return <Badge shape="clock">Canceled</Badge>
  if (status.state === 'trialing') return <Badge tone="accent">Trial</Badge>
  return undefined
}

function CurrentPlan({ status }: { status: SubscriptionStatus }) {
  const { usage, limits, usageUntil } = status
  const monthly = (used: number, limit: number) => describeForecast(used, limit, usageUntil)
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          {isPaid(status.currentPlan) ? `${planTitle(status.currentPlan)} Plan` : 'Free Plan'}
          {stateBadge(status)}
        </span>
      }
      description={describeRenewal(status)}
      action={<PlanActions status={status} />}
    >
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        <PlanBar
          label="Emails this month"
          used={usage.emails}
          limit={limits.emails}
          note={monthly(usage.emails, limits.emails)}
        />
        <PlanBar label="Contacts" used={usage.contacts} limit={limits.contacts} />
        <PlanBar
          label="WhatsApp messages this month"
          used={usage.whatsappMessages}
          limit={limits.whatsappMessages}
          note={monthly(usage.whatsappMessages, limits.whatsappMessages)}
        />
        {limits.pages > 0 && (
          <PlanBar
            label="Pages scraped this month"
            used={usage.pages}
            limit={limits.pages}
            note={monthly(usage.pages, limits.pages)}
          />
        )}
        <PlanBar label="Senders" used={usage.senders} limit={limits.senders} />
      </div>
      <p className="mt-6 border-t pt-4 text-sm text-muted">
        Usage resets {formatDay(usageUntil)} (UTC) and includes scheduled sends.
      </p>
    </Card>
  )
}
