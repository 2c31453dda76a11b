import type { Interval } from '#contracts/billing/billing.ts'
import { plans } from '#contracts/billing/plans.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { price } from '../labels.ts'
import type { PaidName } from '../queries.ts'

interface NotAppliedDialogProps {
  plan: PaidName
  interval: Interval
  coupon: string
  reason: string
  onClose: () => void
  onContinue: () => void
}

/** Says before the checkout that the coupon does not apply, and what the plan costs without it. */
export function NotAppliedDialog({ plan, interval, coupon, reason, onClose, onContinue }: NotAppliedDialogProps) {
  const { title, price: prices } = plans[plan]
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title={`Coupon ${coupon} was not applied`}
      description={reason}
      footer={
        <>
          <Button onClick={onClose}>Change coupon</Button>
          <Button kind="primary" onClick={onContinue}>
            Continue without coupon
          </Button>
        </>
      }
    >
      <p>
        Without a coupon, {title} costs {price(prices[interval])} a {interval}.
      </p>
    </Dialog>
  )
}
