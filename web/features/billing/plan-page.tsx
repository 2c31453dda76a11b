import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { SubscriptionStatus } from '#contracts/billing.ts'
import { isPaid } from '#contracts/plans.ts'
import { useSubscription } from '#web/features/accounts/index.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Card } from '#web/ui/card.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { formatDay } from '#web/ui/format.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { ChoosePlan } from './choose-plan.tsx'
import { Invoices } from './invoices.tsx'
import { PlanActions, PortalButton } from './plan-actions.tsx'
import { PlanBar } from './plan-bar.tsx'
import { keepWantedTool } from './wanted-tool.ts'
import { forecastOf, renewalOf, titleOf } from './words.ts'

export const meta = () => [{ title: 'Subscription Plan · Postlark' }]

/** What the plan allows and how much of it is used, and every way to change it. */
export default function PlanPage() {
  const subscription = useSubscription()
  const status = subscription.data
  const wanted = (useLocation().state as { tool?: string } | null)?.tool
  useEffect(() => {
    if (wanted) keepWantedTool(wanted)
  }, [wanted])
  return (
    <div className="max-w-4xl">
      <PageHeader title="Subscription Plan" description="What your plan allows, and how much of it is used." />
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
            <Notices status={status} locked={wanted !== undefined} />
            <CurrentPlan status={status} />
            <ChoosePlan status={status} />
            <Invoices />
          </>
        )}
      </div>
    </div>
  )
}

function Notices({ status, locked }: { status: SubscriptionStatus; locked: boolean }) {
  const [search] = useSearchParams()
  return (
    <>
      {search.get('checkout') === 'left' && (
        <Banner>You left the payment page. Nothing was charged, and your plan is as it was.</Banner>
      )}
      {locked && !isPaid(status.currentPlan) && (
        <Banner title="This tool belongs to the paid plans">
          Choose one below. Once it is open, the way goes on to the tool you wanted.
        </Banner>
      )}
      {status.paymentFailedAt && (
        <Banner
          tone="attention"
          title="The last payment did not go through"
          action={<PortalButton label="Change card" />}
        >
          It failed on {formatDay(status.paymentFailedAt)} and is tried again by itself. Your plan stays open for now.
        </Banner>
      )}
      {status.payments === 'none' && (
        <Banner>Payments are not set up on this installation. Whoever runs it can set your plan by hand.</Banner>
      )}
    </>
  )
}

function stateBadge(status: SubscriptionStatus) {
  if (status.state === 'pastDue')
    return (
      <Badge tone="attention" shape="warning">
        payment failed
      </Badge>
    )
  if (status.cancelAtPeriodEnd && !status.byHand) return <Badge shape="clock">ends</Badge>
  if (status.state === 'trialing') return <Badge tone="accent">trial</Badge>
  return undefined
}

function CurrentPlan({ status }: { status: SubscriptionStatus }) {
  const { usage, limits, usageUntil } = status
  const monthly = (used: number, limit: number) => forecastOf(used, limit, usageUntil)
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          {isPaid(status.currentPlan) ? `${titleOf(status.currentPlan)} Plan` : 'Free Plan'}
          {stateBadge(status)}
        </span>
      }
      description={renewalOf(status)}
      action={<PlanActions status={status} />}
    >
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        <PlanBar
          label="E-mails this month"
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
            label="Web pages read this month"
            used={usage.pages}
            limit={limits.pages}
            note={monthly(usage.pages, limits.pages)}
          />
        )}
        <PlanBar label="Senders" used={usage.senders} limit={limits.senders} />
      </div>
      <p className="mt-6 border-t pt-4 text-sm text-muted">
        Monthly counts begin anew on {formatDay(usageUntil)} (UTC). What running campaigns reserved is counted, and what
        they do not send is given back.
      </p>
    </Card>
  )
}
