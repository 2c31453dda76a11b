import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Sender, senders } from '#contracts/senders/senders.ts'
import { api } from '#web/api.ts'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { senderName } from '../sender-state.tsx'

/** Starts a ramp-up of 14 or 30 days. */
export function RampDialog({ sender, onClose }: { sender: Sender; onClose: () => void }) {
  const queries = useQueryClient()
  const [days, setDays] = useState<'14' | '30'>('14')
  const start = useMutation({
    mutationFn: () => api(senders.startRamp, { params: { id: sender.id }, body: { days: days === '14' ? 14 : 30 } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['senders'] })
      toast.success('Warm-up started')
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Warm up ${senderName(sender)}`}
      description="Mail providers distrust a new domain or server that sends a lot at once. A warm-up limits each day and raises the limit step by step."
      action="Start warm-up"
      busy={start.isPending}
      error={start.error?.message}
      onSubmit={(event) => {
        event?.preventDefault()
        start.mutate()
      }}
      onClose={onClose}
    >
      <RadioGroup
        legend="Length"
        cards
        value={days}
        onChange={setDays}
        options={[
          {
            value: '14',
            label: '14 days',
            hint: 'From 50 to 9,730 emails a day, 50% more each day. For people who expect your emails.',
          },
          {
            value: '30',
            label: '30 days',
            hint: 'From 50 to 9,890 emails a day, 20% more each day. The safer choice.',
          },
        ]}
      />
      <p className="text-sm text-muted">
        Day 1 begins with the next email. The sender’s own daily limit still applies. Larger campaigns continue
        automatically the next day.
      </p>
    </FormDialog>
  )
}
