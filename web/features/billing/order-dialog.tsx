import { useMutation, useQuery } from '@tanstack/react-query'
import { billing, type Interval } from '#contracts/billing/billing.ts'
import { plans } from '#contracts/billing/plans.ts'
import { ApiError } from '#contracts/client.ts'
import { api, errorMessage } from '#web/api.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { checkQuery } from './coupons/coupon-checks.ts'
import { money } from './labels.ts'
import { summarizeOrder } from './order.ts'
import type { PaidName } from './queries.ts'

interface OrderDialogProps {
  plan: PaidName
  interval: Interval
  /** The code that was typed; empty for none. */
  coupon: string
  trial: boolean
  onClose: () => void
}

/** What is ordered and what it costs today and later, before it is paid. A coupon that does not apply stops nothing. */
export function OrderDialog({ plan, interval, coupon, trial, onClose }: OrderDialogProps) {
  const check = useQuery({ ...checkQuery(coupon, plan), enabled: coupon !== '' })
  const buy = useMutation({
    mutationFn: (code: string | undefined) =>
      api(billing.checkout, { body: { plan, interval, ...(code && { coupon: code }) } }),
    onSuccess: ({ url }) => location.assign(url),
  })
  const isRefused = buy.error instanceof ApiError && buy.error.code === 'coupon_invalid'
  const problem = isRefused
    ? errorMessage(buy.error)
    : check.error
      ? errorMessage(check.error)
      : check.data?.valid === false
        ? check.data.message
        : undefined
  const applied = coupon !== '' && !problem ? check.data : undefined
  const isChecking = coupon !== '' && check.isPending
  const { title } = plans[plan]
  const order = summarizeOrder({ plan, interval, trial, coupon: applied })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title="Order summary"
      footer={
        <>
          <Button onClick={onClose}>{problem ? 'Change coupon' : 'Back'}</Button>
          <Button
            kind="primary"
            disabled={isChecking}
            busy={buy.isPending}
            onClick={() => buy.mutate(applied ? coupon : undefined)}
          >
            {problem ? 'Continue without coupon' : 'Continue to payment'}
          </Button>
        </>
      }
    >
      <div className="space-y-4 pb-2">
        <FormBanner error={buy.error && !isRefused ? errorMessage(buy.error) : null} />
        {problem && (
          <Banner tone="attention" title={`Coupon ${coupon} was not applied`} role="alert">
            {problem}
          </Banner>
        )}
        {isChecking ? (
          <SkeletonRows rows={3} />
        ) : (
          <>
            <dl className="divide-y">
              <Line
                name={`${title} plan`}
                note={`Billed ${interval === 'year' ? 'yearly' : 'monthly'}`}
                value={money(order.price)}
              />
              {applied && order.discount > 0 && (
                <Line name={`Coupon ${applied.code}`} note={applied.message} value={`−${money(order.discount)}`} />
              )}
              {order.trialUntil && (
                <Line
                  name="Free trial"
                  note={`Until ${order.trialUntil}. Cancel before then to pay nothing.`}
                  value=""
                />
              )}
              <Line name="Total today" value={money(order.today)} strong />
            </dl>
            <p className="text-sm text-muted">
              Then {order.next}, until you cancel. Taxes are not included. If any apply, the payment page shows them.
            </p>
          </>
        )}
      </div>
    </Dialog>
  )
}

function Line(props: { name: string; note?: string; value: string; strong?: boolean }) {
  const weight = props.strong ? 'text-md font-semibold text-ink' : 'text-ink'
  return (
    <div className="flex items-baseline justify-between gap-4 py-2.5 first:pt-0">
      <dt className={`min-w-0 wrap-anywhere ${weight}`}>
        {props.name}
        {props.note && <span className="block text-sm font-normal text-muted">{props.note}</span>}
      </dt>
      <dd className={`tabular-nums ${weight}`}>{props.value}</dd>
    </div>
  )
}
