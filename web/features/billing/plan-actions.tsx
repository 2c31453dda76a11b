import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { billing, type SubscriptionStatus } from '#contracts/billing.ts'
import { api, messageOf } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { formatDay } from '#web/ui/format.ts'
import { toast } from '#web/ui/toaster.tsx'
import { useSubscriptionAction } from './queries.ts'
import { titleOf } from './words.ts'

/** Leads to the provider's page for cards and invoices. */
export function PortalButton({ label }: { label: string }) {
  const open = useMutation({
    mutationFn: () => api(billing.portal),
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => toast.error(messageOf(error)),
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
  const title = titleOf(status.currentPlan)
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
              onSuccess: () => toast.success(`Your ${title} plan goes on`),
              onError: (error) => toast.error(messageOf(error)),
            })
          }
        >
          Keep {title}
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
        It stays open until {formatDay(status.renewsAt)}, and nothing is charged after that. Contacts, templates and
        reports are all kept. You can take this back until then.
      </ConfirmDialog>
    </div>
  )
}
