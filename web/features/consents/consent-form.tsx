import { useState } from 'react'
import { BULK_UNDO_HOURS } from '#contracts/contacts/bulk.ts'
import { errorMessage } from '#web/api.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { ConsentFields, consentErrors, noConsent, toConsentProof } from './consent-fields.tsx'

/** Records a proof of consent. Rejects where that was refused. */
export type ConsentRecording = (proof: ReturnType<typeof toConsentProof>) => Promise<void>

interface ConsentFormProps {
  /** Whose consent it is: "Ada Lovelace", "12,000 contacts". */
  whose: string
  action: string
  onSave: ConsentRecording
  onClose: () => void
}

/** Records that people agreed to be written to: how, when, for what. */
export function ConsentForm({ whose, action, onSave, onClose }: ConsentFormProps) {
  const [typed, setTyped] = useState(noConsent)
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const errors = consentErrors(typed)
  async function submit() {
    setAsked(true)
    if (Object.keys(errors).length > 0) return
    setBusy(true)
    setError(null)
    try {
      await onSave(toConsentProof(typed))
      onClose()
    } catch (cause) {
      setError(errorMessage(cause))
    } finally {
      setBusy(false)
    }
  }
  return (
    <FormDialog
      title={`Record consent for ${whose}`}
      description={`Meta requires consent before you start a conversation. Contacts without a phone number and those who opted out are skipped. You can undo this for ${BULK_UNDO_HOURS} hours under Recent changes on the contacts page, except for contacts who were sent a message since.`}
      action={action}
      busy={busy}
      error={error}
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
