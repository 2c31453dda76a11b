import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { billing, type SubscriptionStatus } from '#contracts/billing/billing.ts'
import { api, errorMessage } from '#web/api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { formatDay } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { planTitle } from './labels.ts'
import { useSubscriptionAction } from './queries.ts'

/** Leads to the provider's page for cards and invoices. */
export function PortalButton({ label }: { label: string }) {
  const open = useMutation({
    mutationFn: () => api(billing.portal),
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => toast.error(errorMessage(error)),
  })
  return (
    <Button size="sm" busy={open.isPending} onClick={() => open.mutate()}>
      {label}
    </Button>
  )
}

/** Card, cancel and resume, as far as there is a subscription. */
export function PlanActions({ status }: { status: SubscriptionStatus }) {
  const [asking, setAsking] = useState(false)
  const cancel = useSubscriptionAction(() => api(billing.cancel))
  const resume = useSubscriptionAction(() => api(billing.resume))
  if (!['active', 'trialing', 'pastDue'].includes(status.state)) return null
  const title = planTitle(status.currentPlan)
  return (
    <div className="flex flex-wrap gap-2">
      <PortalButton label="Card and invoices" />
      {status.cancelAtPeriodEnd ? (
        <Button
          size="sm"
          kind="primary"
          busy={resume.isPending}
          onClick={() =>
            resume.mutate(undefined, {
              onSuccess: () => toast.success(`Your ${title} plan will continue`),
              onError: (error) => toast.error(errorMessage(error)),
            })
          }
        >
          Keep plan
        </Button>
      ) : (
        <Button size="sm" kind="quiet" onClick={() => setAsking(true)}>
          Cancel plan
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={`Cancel the ${title} plan?`}
        action="Cancel plan"
        onConfirm={() => cancel.mutateAsync(undefined)}
      >
        Your plan stays active until {formatDay(status.renewsAt)}, and you won’t be charged again. Contacts, templates
        and reports are kept. You can resume any time before then.
      </ConfirmDialog>
    </div>
  )
}
