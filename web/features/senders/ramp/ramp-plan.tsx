import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Sender, senders } from '#contracts/senders/senders.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { RampCurve } from './ramp-curve.tsx'

type Plan = NonNullable<Sender['rampPlan']>

/** Where a sender is in its ramp-up, and how to stop it. */
export function RampPlanPanel({ sender, plan }: { sender: Sender; plan: Plan }) {
  const queries = useQueryClient()
  const [isStopping, setStopping] = useState(false)
  const stop = useMutation({
    mutationFn: () => api(senders.stopRamp, { params: { id: sender.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['senders'] }),
  })
  return (
    <div className="mt-4 rounded-control border p-3">
      <div className="flex items-start justify-between gap-3">
        <p className="text-sm text-text">
          <span className="font-medium text-ink">
            Warm-up, day {plan.day} of {plan.days}
          </span>
          <span className="block">
            Up to {formatNumber(plan.limit)} emails in 24 hours. Larger campaigns continue the next day.
            {plan.startedAt === null && ' Day 1 begins with the next email.'}
          </span>
        </p>
        <Button size="sm" onClick={() => setStopping(true)}>
          Stop
        </Button>
      </div>
      {plan.held && (
        <p className="mt-2 text-sm text-attention-text">
          {plan.held.text} The limit rises again after a day without such trouble.
        </p>
      )}
      <RampCurve curve={plan.curve} day={plan.day} />
      <ConfirmDialog
        open={isStopping}
        onOpenChange={setStopping}
        title="Stop the warm-up?"
        action="Stop warm-up"
        onConfirm={() => stop.mutateAsync()}
      >
        From now on only the sender’s own limits apply. A sudden rise in volume can send a new domain to spam.
      </ConfirmDialog>
    </div>
  )
}
