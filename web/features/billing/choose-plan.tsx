import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { billing, type Interval, type SubscriptionStatus } from '#contracts/billing/billing.ts'
import { coupons } from '#contracts/billing/coupons.ts'
import { planRank, plans, trialDays } from '#contracts/billing/plans.ts'
import { api, errorMessage } from '#web/api.ts'
import { Badge } from '#web/ui/feedback/badge.tsx'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { cx } from '#web/ui/lib/class-names.ts'
import { formatNumber } from '#web/ui/lib/format.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { money } from './labels.ts'

type Paid = 'starter' | 'pro' | 'business'
const names: Paid[] = ['starter', 'pro', 'business']

/** The paid plans side by side: buying a first one leads to the provider, changing asks what it costs first. */
export function ChoosePlan({ status }: { status: SubscriptionStatus }) {
  const [search] = useSearchParams()
  const asked = search.get('choose')
  const [interval, setInterval] = useState<Interval>(
    search.get('interval') === 'year' ? 'year' : (status.interval ?? 'month'),
  )
  const [coupon, setCoupon] = useState('')
  const [changing, setChanging] = useState<Paid>()
  const subscribed = ['active', 'trialing', 'pastDue'].includes(status.state)
  const buy = useMutation({
    mutationFn: (plan: Paid) =>
      api(billing.checkout, { body: { plan, interval, ...(coupon.trim() && { coupon: coupon.trim() }) } }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const choose = (plan: Paid) => (subscribed ? setChanging(plan) : buy.mutate(plan))
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
      <FormBanner error={buy.error && errorMessage(buy.error)} />
      <ul className="grid gap-3 md:grid-cols-3">
        {names.map((name) => (
          <PlanOption
            key={name}
            name={name}
            interval={interval}
            status={status}
            asked={asked === name}
            busy={buy.isPending && buy.variables === name}
            subscribed={subscribed}
            onChoose={() => choose(name)}
          />
        ))}
      </ul>
      {!subscribed && status.payments !== 'none' && (
        <CouponField
          coupon={coupon}
          onChange={setCoupon}
          plan={names.find((name) => name === asked) ?? 'pro'}
          interval={interval}
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

interface PlanOptionProps {
  name: Paid
  interval: Interval
  status: SubscriptionStatus
  asked: boolean
  busy: boolean
  subscribed: boolean
  onChoose: () => void
}

function PlanOption({ name, interval, status, asked, busy, subscribed, onChoose }: PlanOptionProps) {
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
  return (
    <li className={cx('flex flex-col rounded-card border p-4', asked && 'border-accent ring-1 ring-accent')}>
      <p className="flex items-center gap-2 font-semibold text-ink">
        {plan.title}
        {isPlan && <Badge tone="accent">Current plan</Badge>}
      </p>
      <p className="mt-2">
        <span className="text-xl font-semibold tracking-tight text-ink tabular-nums">
          {money(plan.price[interval])}
        </span>
        <span className="text-sm text-muted"> a {interval}</span>
      </p>
      <ul className="mt-3 grid flex-1 content-start gap-1 text-sm text-text">
        <li>{plan.contacts === null ? 'No limit on contacts' : `${formatNumber(plan.contacts)} contacts`}</li>
        <li>{formatNumber(plan.emails)} emails a month</li>
        <li>{formatNumber(plan.whatsappMessages)} WhatsApp messages a month</li>
        <li>{formatNumber(plan.pages)} pages scraped a month</li>
        <li>{formatNumber(plan.senders)} senders, including Gmail</li>
      </ul>
      {!isMine && !covered && (
        <Button
          kind={asked || (!subscribed && name === 'pro') ? 'primary' : 'secondary'}
          className="mt-4 w-full"
          busy={busy}
          disabled={status.payments === 'none'}
          onClick={onChoose}
        >
          {label}
        </Button>
      )}
    </li>
  )
}

interface CouponFieldProps {
  coupon: string
  onChange: (code: string) => void
  plan: Paid
  interval: Interval
}

/** A coupon's code, checked before paying. */
function CouponField({ coupon, onChange, plan, interval }: CouponFieldProps) {
  const check = useMutation({ mutationFn: () => api(coupons.check, { body: { code: coupon.trim(), plan } }) })
  const response = check.data
  const price = response?.price?.[interval]
  return (
    <form
      className="mt-5 max-w-md border-t pt-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (coupon.trim()) check.mutate()
      }}
    >
      <Field
        label="Coupon"
        optional
        error={response && !response.valid ? response.message : check.error ? errorMessage(check.error) : undefined}
        hint={
          response?.valid && price !== undefined
            ? `${response.message} ${plans[plan].title} then costs ${money(price)} for the first ${interval}.`
            : undefined
        }
      >
        <span className="flex gap-2">
          <Input
            value={coupon}
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
            onChange={(event) => {
              check.reset()
              onChange(event.target.value)
            }}
          />
          <Button type="submit" busy={check.isPending} disabled={coupon.trim() === ''}>
            Check
          </Button>
        </span>
      </Field>
    </form>
  )
}
