import { useState } from 'react'
import { errorMessage } from '#web/api.ts'
import { plural } from '#web/ui/lib/format.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { ConsentFields, consentErrors, noConsent, toConsentProof } from './consent-fields.tsx'
import { useConsentRecording } from './queries.ts'

interface ConsentFormProps {
  /** Whose consent it is: "Ada Lovelace", "12 contacts". */
  whose: string
  contactIds: string[]
  onClose: () => void
  onRecorded?: () => void
}

/** Records that people agreed to be written to: how, when, for what. It cannot be changed afterwards. */
export function ConsentForm({ whose, contactIds, onClose, onRecorded }: ConsentFormProps) {
  const recording = useConsentRecording()
  const [typed, setTyped] = useState(noConsent)
  const [asked, setAsked] = useState(false)
  const errors = consentErrors(typed)
  function submit() {
    setAsked(true)
    if (Object.keys(errors).length > 0) return
    recording.mutate(
      { contactIds, ...toConsentProof(typed) },
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
    <FormDialog
      title={`Record consent for ${whose}`}
      description="Meta requires consent before you start a conversation. Records can’t be changed later."
      action={contactIds.length > 1 ? `Record for ${plural(contactIds.length, 'contact')}` : 'Record consent'}
      busy={recording.isPending}
      error={recording.error && errorMessage(recording.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <ConsentFields
        typed={typed}
        errors={asked ? errors : {}}
        onChange={(change) => setTyped((old) => ({ ...old, ...change }))}
      />
    </FormDialog>
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
