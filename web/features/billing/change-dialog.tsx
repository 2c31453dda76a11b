import { useQuery } from '@tanstack/react-query'
import { billing, type Interval, type SubscriptionStatus } from '#contracts/billing/billing.ts'
import { planRank, plans } from '#contracts/billing/plans.ts'
import { api, errorMessage } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { money, price } from './labels.ts'
import { PortalButton } from './plan-actions.tsx'
import { useSubscriptionAction } from './queries.ts'

interface ChangeDialogProps {
  plan: 'starter' | 'pro' | 'business'
  interval: Interval
  status: SubscriptionStatus
  onClose: () => void
}

/** What a change costs now and later, before it is made. */
export function ChangeDialog({ plan, interval, status, onClose }: ChangeDialogProps) {
  const { title, contacts } = plans[plan]
  const preview = useQuery({
    queryKey: ['subscription', 'preview', plan, interval],
    queryFn: () => api(billing.preview, { body: { plan, interval } }),
    staleTime: 0,
    gcTime: 0,
  })
  const change = useSubscriptionAction(() => api(billing.change, { body: { plan, interval } }))
  const over = contacts !== null && status.usage.contacts > contacts
  const due = preview.data?.due ?? 0
  const smaller = planRank(plan) < planRank(status.currentPlan)
  const error = preview.error ?? change.error
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title={`${smaller ? 'Change' : 'Upgrade'} to ${title}?`}
      footer={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button
            kind="primary"
            busy={change.isPending}
            disabled={!preview.data}
            onClick={() =>
              change.mutate(undefined, {
                onSuccess: () => {
                  toast.success(`You’re on ${title} now`)
                  onClose()
                },
              })
            }
          >
            {due > 0 ? `Pay ${money(due)} and change` : `Change to ${title}`}
          </Button>
        </>
      }
    >
      <div className="space-y-3 text-text">
        <FormBanner error={error && errorMessage(error)} />
        {change.isError && <PortalButton label="Change card" />}
        {preview.isPending && <SkeletonRows rows={2} />}
        {preview.data && (
          <p>
            {due > 0
              ? `About ${money(due)} is charged to your card now for the rest of the billing period. `
              : due < 0
                ? `${money(-due)} of unused time is credited to your next invoices. `
                : 'Nothing is charged now. '}
            It then costs {price(preview.data.renewal)} a {interval}, before taxes and coupons.
          </p>
        )}
        {over && (
          <p>
            You have {formatNumber(status.usage.contacts)} contacts, and {title} includes {formatNumber(contacts)}.
            Existing contacts are kept. You can add new ones once you are below the limit.
          </p>
        )}
      </div>
    </Dialog>
  )
}
