import { useState } from 'react'
import { BULK_UNDO_HOURS, type ContactJob } from '#contracts/contacts/bulk.ts'
import { errorMessage } from '#web/api.ts'
import { ConsentFields, consentErrors, noConsent, toConsentProof } from '#web/features/consents/index.ts'
import { plural } from '#web/ui/lib/format.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { describeChange } from './labels.ts'

interface BulkConsentProps {
  /** "12,000 contacts" */
  whose: string
  onSave: (
    change: { action: 'recordConsent'; value: ReturnType<typeof toConsentProof> },
    toText: (job: ContactJob) => string,
  ) => Promise<void>
  onClose: () => void
}

function describeSkipped({ processed, changed }: ContactJob): string {
  if (processed === changed) return ''
  return ` Skipped: ${plural(processed - changed, 'contact')} without a phone number, or who opted out.`
}

/** Records one proof of consent for many contacts. */
export function BulkConsent({ whose, onSave, onClose }: BulkConsentProps) {
  const [typed, setTyped] = useState(noConsent)
  const [asked, setAsked] = useState(false)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const errors = consentErrors(typed)
  async function submit() {
    setAsked(true)
    if (Object.keys(errors).length > 0) return
    setBusy(true)
    try {
      await onSave(
        { action: 'recordConsent', value: toConsentProof(typed) },
        (job) => `${describeChange(job)}.${describeSkipped(job)}`,
      )
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
      description={`Contacts without a phone number and those who opted out are skipped. You can undo this for ${BULK_UNDO_HOURS} hours under Recent changes, except for contacts who were sent a message since.`}
      action={`Record for ${whose}`}
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
