import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Interval, SubscriptionStatus } from '#contracts/billing/billing.ts'
import { trialDays } from '#contracts/billing/plans.ts'
import { Card } from '#web/ui/layout/card.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { useCouponChecks } from './coupons/coupon-checks.ts'
import { CouponField } from './coupons/coupon-field.tsx'
import { OrderDialog } from './order-dialog.tsx'
import { PlanOption } from './plan-option.tsx'
import { type PaidName, paidNames } from './queries.ts'

/** The paid plans side by side: each shows what it costs before anything is paid. */
export function ChoosePlan({ status }: { status: SubscriptionStatus }) {
  const [search] = useSearchParams()
  const asked = paidNames.find((name) => name === search.get('choose'))
  const [interval, setInterval] = useState<Interval>(
    search.get('interval') === 'year' ? 'year' : (status.interval ?? 'month'),
  )
  const [typed, setTyped] = useState('')
  const [applied, setApplied] = useState('')
  const checks = useCouponChecks(applied)
  const [changing, setChanging] = useState<PaidName>()
  const [ordering, setOrdering] = useState<PaidName>()
  const subscribed = ['active', 'trialing', 'pastDue'].includes(status.state)
  const takesCoupon = !subscribed && status.payments !== 'none'
  const choose = (plan: PaidName) => {
    if (subscribed) return setChanging(plan)
    setApplied(typed.trim())
    setOrdering(plan)
  }
  return (
    <Card
      title={subscribed ? 'Change plan' : 'Choose a plan'}
      description={
        !subscribed && status.trialOpen
          ? `The first ${trialDays} days are free. Cancel before they end and you won’t be charged.`
          : 'Taxes are not included. You can cancel at any time.'
      }
      action={<IntervalSwitch value={interval} onChange={setInterval} />}
    >
      {takesCoupon && (
        <CouponField typed={typed} onType={setTyped} applied={applied} onApply={setApplied} checks={checks} />
      )}
      <ul className="grid gap-3 md:grid-cols-3">
        {paidNames.map((name) => (
          <PlanOption
            key={name}
            name={name}
            interval={interval}
            status={status}
            reduced={takesCoupon ? checks.byPlan[name]?.price?.[interval] : undefined}
            asked={asked === name}
            subscribed={subscribed}
            onChoose={() => choose(name)}
          />
        ))}
      </ul>
      {ordering && (
        <OrderDialog
          plan={ordering}
          interval={interval}
          coupon={takesCoupon ? typed.trim() : ''}
          trial={status.trialOpen}
          onClose={() => setOrdering(undefined)}
        />
      )}
      {changing && (
        <ChangeDialog plan={changing} interval={interval} status={status} onClose={() => setChanging(undefined)} />
      )}
    </Card>
  )
}

function IntervalSwitch({ value, onChange }: { value: Interval; onChange: (value: Interval) => void }) {
  return (
    <fieldset className="flex w-fit rounded-control border bg-sunken p-0.5 text-sm">
      <legend className="sr-only">Billing period</legend>
      {(['month', 'year'] as const).map((one) => (
        <label
          key={one}
          className="relative rounded-[4px] px-3 py-1 font-medium text-muted has-checked:bg-raised has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--color-line)] has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text"
        >
          <input
            type="radio"
            name="pay-by"
            checked={value === one}
            onChange={() => onChange(one)}
            className="absolute inset-0 size-full cursor-pointer appearance-none outline-none"
          />
          {one === 'month' ? 'Monthly' : 'Yearly, two months free'}
        </label>
      ))}
    </fieldset>
  )
}
