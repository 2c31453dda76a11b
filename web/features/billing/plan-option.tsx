import type { Interval, SubscriptionStatus } from '#contracts/billing/billing.ts'
import { planRank, plans, planTools } from '#contracts/billing/plans.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatNumber } from '#web/ui/lib/format.ts'
import { describeUnitPrice, price } from './labels.ts'
import type { PaidName } from './queries.ts'

const POPULAR_PLAN = 'pro'

/** What a plan opens beyond the one below it: all paid plans have the same tools. */
function describeTools(name: PaidName): string {
  if (name !== 'starter') return `Everything in ${plans.starter.title}, with higher limits`
  const tools = planTools.filter(({ paid }) => paid).map((tool) => tool.name)
  return `${new Intl.ListFormat('en-US').format(tools)}, which Free does not have`
}

interface PlanOptionProps {
  name: PaidName
  interval: Interval
  status: SubscriptionStatus
  /** Cents of the first payment with the coupon; undefined without one. */
  reduced: number | undefined
  asked: boolean
  subscribed: boolean
  onChoose: () => void
}

/** A paid plan with its price and limits, and the button that leads on. */
export function PlanOption({ name, interval, status, reduced, asked, subscribed, onChoose }: PlanOptionProps) {
  const plan = plans[name]
  const isPlan = status.currentPlan.toLowerCase() === name
  const isMine = isPlan && (!subscribed || status.interval === interval)
  const covered = !subscribed && planRank(status.currentPlan) >= planRank(name)
  const verb = !subscribed
    ? 'Choose'
    : isPlan
      ? 'Pay for'
      : planRank(name) > planRank(status.currentPlan)
        ? 'Upgrade to'
        : 'Change to'
  const label = isPlan && subscribed ? `Pay ${interval === 'year' ? 'yearly' : 'monthly'}` : `${verb} ${plan.title}`
  const isMarked = asked || (!subscribed && name === POPULAR_PLAN)
  return (
    <li className={cx('flex flex-col rounded-card border p-4', isMarked && 'border-accent ring-1 ring-accent')}>
      <p className="flex flex-wrap items-center gap-2 font-semibold text-ink">
        {plan.title}
        {isPlan ? <Badge tone="accent">Current plan</Badge> : name === POPULAR_PLAN && <Badge>Most popular</Badge>}
      </p>
      <p className="mt-2 flex flex-wrap items-baseline gap-x-1.5">
        {reduced !== undefined && (
          <s className="text-base text-muted tabular-nums">
            <span className="sr-only">Instead of </span>
            {price(plan.price[interval])}
          </s>
        )}
        <span className="text-xl font-semibold tracking-tight text-ink tabular-nums">
          {price(reduced ?? plan.price[interval])}
        </span>
        <span className="text-sm text-muted">
          {reduced === undefined ? `a ${interval}` : `for the first ${interval}`}
        </span>
      </p>
      <p className="mt-0.5 text-sm text-muted">{describeUnitPrice(name, interval)}</p>
      <ul className="mt-3 grid flex-1 content-start gap-1 text-sm text-text">
        <li>{plan.contacts === null ? 'No limit on contacts' : `${formatNumber(plan.contacts)} contacts`}</li>
        <li>{formatNumber(plan.emails)} emails a month</li>
        <li>{formatNumber(plan.whatsappMessages)} WhatsApp messages a month</li>
        <li>{formatNumber(plan.pages)} pages scraped a month</li>
        <li>{formatNumber(plan.senders)} senders, including Gmail</li>
        <li className="mt-1 border-t pt-2">{describeTools(name)}</li>
      </ul>
      {!isMine && !covered && (
        <Button
          kind={isMarked ? 'primary' : 'secondary'}
          className="mt-4 w-full"
          disabled={status.payments === 'none'}
          onClick={onChoose}
        >
          {label}
        </Button>
      )}
    </li>
  )
}
