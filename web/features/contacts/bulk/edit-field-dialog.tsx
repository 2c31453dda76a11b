import { useState } from 'react'
import type { ContactJob } from '#contracts/contacts/bulk.ts'
import { errorMessage } from '#web/api.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useContactFields } from '../queries.ts'
import { describeChange } from './labels.ts'

const NAME = ' name'
const NEW = ' new'

interface EditFieldDialogProps {
  /** "12 contacts" */
  whose: string
  onSave: (
    change: { action: 'setField'; value: { name?: string; attributes?: Record<string, string | null> } },
    toText: (job: ContactJob) => string,
  ) => Promise<void>
  onClose: () => void
}

/** Sets one field of many contacts: the name, a custom field in use, or a new one. */
export function EditFieldDialog({ whose, onSave, onClose }: EditFieldDialogProps) {
  const fields = useContactFields().data?.attributes ?? []
  const [field, setField] = useState(NAME)
  const [newName, setNewName] = useState('')
  const [value, setValue] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const name = field === NEW ? newName.trim() : field
  async function submit() {
    setBusy(true)
    setError(null)
    try {
      const text = value.trim()
      await onSave(
        { action: 'setField', value: field === NAME ? { name: text } : { attributes: { [name]: text || null } } },
        describeChange,
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
      title={`Edit a field of ${whose}`}
      size="sm"
      action={`Update ${whose}`}
      busy={busy}
      disabled={name === ''}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Field">
        <Select value={field} onChange={(event) => setField(event.target.value)}>
          <option value={NAME}>Name</option>
          {fields.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
          <option value={NEW}>New custom field</option>
        </Select>
      </Field>
      {field === NEW && (
        <Field label="Field name" hint="Letters, digits, spaces, _ . and -">
          <Input value={newName} maxLength={64} onChange={(event) => setNewName(event.target.value)} />
        </Field>
      )}
      <Field label="New value" hint="Leave empty to clear the field.">
        <Input value={value} maxLength={200} onChange={(event) => setValue(event.target.value)} />
      </Field>
    </FormDialog>
  )
}
