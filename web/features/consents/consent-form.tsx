import { useId, useState } from 'react'
import { messageOf } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { plural } from '#web/ui/lib/format.ts'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { ConsentFields, consentErrors, noConsent, proofOf } from './consent-fields.tsx'
import { useConsentRecording } from './consent-queries.ts'

interface ConsentFormProps {
  /** Whose consent it is: "Ada Lovelace", "12 contacts". */
  whose: string
  contactIds: string[]
  onClose: () => void
  onRecorded?: () => void
}

/** Records that people agreed to be written to: how, when, for what. It cannot be changed afterwards. */
export function ConsentForm({ whose, contactIds, onClose, onRecorded }: ConsentFormProps) {
  const id = useId()
  const recording = useConsentRecording()
  const [typed, setTyped] = useState(noConsent)
  const [asked, setAsked] = useState(false)
  const errors = consentErrors(typed)
  function submit(event: React.FormEvent) {
    event.preventDefault()
    setAsked(true)
    if (Object.keys(errors).length > 0) return
    recording.mutate(
      { contactIds, ...proofOf(typed) },
      {
        onSuccess: (said) => {
          sayRecorded(said)
          onRecorded?.()
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Record consent for ${whose}`}
      description="Meta requires consent before you start a conversation. Records can’t be changed later."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={id} busy={recording.isPending}>
            {contactIds.length > 1 ? `Record for ${plural(contactIds.length, 'contact')}` : 'Record consent'}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={submit} className="space-y-4 pb-2">
        <FormBanner error={recording.isError ? messageOf(recording.error) : undefined} />
        <ConsentFields
          typed={typed}
          errors={asked ? errors : {}}
          onChange={(change) => setTyped((old) => ({ ...old, ...change }))}
        />
      </form>
    </Dialog>
  )
}

function sayRecorded(said: { recorded: number; noPhone: number; optedOut: number; unknown: number }): void {
  const left = [
    said.noPhone > 0 && `${plural(said.noPhone, 'contact')} without a phone number`,
    said.optedOut > 0 && `${plural(said.optedOut, 'contact')} who opted out`,
    said.unknown > 0 && `${plural(said.unknown, 'contact')} not found`,
  ].filter(Boolean)
  const rest = left.length > 0 ? ` Skipped: ${left.join(', ')}.` : ''
  if (said.recorded === 0) toast.error(`No consent recorded.${rest}`)
  else toast.success(`Consent recorded for ${plural(said.recorded, 'contact')}.${rest}`)
}
