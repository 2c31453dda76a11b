import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { billing, type Interval, type SubscriptionStatus } from '#contracts/billing/billing.ts'
import { trialDays } from '#contracts/billing/plans.ts'
import { ApiError } from '#contracts/client.ts'
import { api, errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { describeCouponProblem, useCouponChecks } from './coupons/coupon-checks.ts'
import { CouponField } from './coupons/coupon-field.tsx'
import { NotAppliedDialog } from './coupons/not-applied-dialog.tsx'
import { PlanOption } from './plan-option.tsx'
import { type PaidName, paidNames } from './queries.ts'

interface Order {
  plan: PaidName
  coupon?: string
}

/** The paid plans side by side: buying a first one leads to the provider, changing asks what it costs first. */
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
  const [refused, setRefused] = useState<{ plan: PaidName; reason: string }>()
  const subscribed = ['active', 'trialing', 'pastDue'].includes(status.state)
  const takesCoupon = !subscribed && status.payments !== 'none'
  const buy = useMutation({
    mutationFn: ({ plan, coupon }: Order) =>
      api(billing.checkout, { body: { plan, interval, ...(coupon && { coupon }) } }),
    onSuccess: ({ url }) => location.assign(url),
    onError: (error, { plan }) => {
      if (error instanceof ApiError && error.code === 'coupon_invalid') setRefused({ plan, reason: error.message })
    },
  })
  const choose = async (plan: PaidName) => {
    if (subscribed) return setChanging(plan)
    const coupon = typed.trim()
    if (!coupon) return buy.mutate({ plan })
    setApplied(coupon)
    const reason = await describeCouponProblem(coupon, plan)
    if (reason) setRefused({ plan, reason })
    else buy.mutate({ plan, coupon })
  }
  const isAboutCoupon = refused !== undefined || (buy.error instanceof ApiError && buy.error.code === 'coupon_invalid')
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
      <FormBanner error={buy.error && !isAboutCoupon ? errorMessage(buy.error) : null} />
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
            busy={buy.isPending && buy.variables.plan === name}
            subscribed={subscribed}
            onChoose={() => void choose(name)}
          />
        ))}
      </ul>
      {refused && (
        <NotAppliedDialog
          {...refused}
          coupon={typed.trim()}
          interval={interval}
          onClose={() => setRefused(undefined)}
          onContinue={() => {
            setRefused(undefined)
            buy.mutate({ plan: refused.plan })
          }}
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
