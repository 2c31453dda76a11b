import { useState } from 'react'
import { errorMessage } from '#web/api.ts'
import { ConsentFields, consentErrors, noConsent, toConsentProof } from '#web/features/consents/index.ts'
import { plural } from '#web/ui/lib/format.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'

interface BulkConsentProps {
  /** "12,000 contacts" */
  whose: string
  onSave: (
    change: { action: 'recordConsent'; value: ReturnType<typeof toConsentProof> },
    toText: (changed: number) => string,
  ) => Promise<void>
  onClose: () => void
}

/** Records one proof of consent for more contacts than one request takes. */
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
        (n) => `Consent recorded for ${plural(n, 'contact')}`,
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
      description="Contacts without a phone number and those who opted out are skipped. You can undo this right after it, except for contacts who were sent a message since."
      action="Record consent"
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
