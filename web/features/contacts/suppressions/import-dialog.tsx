import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { api, errorMessage } from '#web/api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { ImportProgress } from '../imports/import-progress.tsx'

type Reason = 'import' | 'unsubscribe' | 'complaint' | 'hard_bounce'

const reasons: { value: Reason; label: string; hint: string }[] = [
  { value: 'unsubscribe', label: 'They unsubscribed', hint: 'Permanent: only they can subscribe again.' },
  { value: 'complaint', label: 'They reported spam', hint: 'Permanent: only they can subscribe again.' },
  { value: 'hard_bounce', label: 'The addresses bounced', hint: 'You can remove them one by one later.' },
  { value: 'import', label: 'Another reason', hint: 'You can remove them one by one later.' },
]

/** Suppresses the addresses of a file, such as the unsubscribes of another product, and shows how far it is. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [reason, setReason] = useState<Reason>('unsubscribe')
  const [importId, setImportId] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  async function submit() {
    if (!file) return
    setBusy(true)
    setError(null)
    try {
      const form = new FormData()
      form.set('file', file)
      form.set('reason', reason)
      setImportId((await api(suppressions.import, { form })).importId)
    } catch (cause) {
      setError(errorMessage(cause))
    } finally {
      setBusy(false)
    }
  }
  if (importId)
    return (
      <Dialog
        open
        onOpenChange={(open) => !open && onClose()}
        title="Import suppressions"
        footer={<Button onClick={onClose}>Close</Button>}
      >
        <ImportProgress id={importId} onEnd={() => void queries.invalidateQueries({ queryKey: ['suppressions'] })} />
      </Dialog>
    )
  return (
    <FormDialog
      title="Import suppressions"
      description="Campaigns skip every address and phone number in the file."
      action="Import suppressions"
      busy={busy}
      disabled={!file}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <FileDrop
        label="Drop a CSV or Excel file here, or choose one"
        hint="With a column of email addresses or phone numbers"
        accept=".csv,.tsv,.txt,.xlsx,text/csv"
        file={file}
        onFile={setFile}
      />
      <Field label="Why they are suppressed" hint={reasons.find(({ value }) => value === reason)?.hint}>
        <Select value={reason} onChange={(event) => setReason(event.target.value as Reason)}>
          {reasons.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
    </FormDialog>
  )
}
