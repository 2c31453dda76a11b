import { useId, useState } from 'react'
import type { ContactField } from '#contracts/contacts/fields.ts'
import { errorMessage } from '#web/api.ts'
import { Select } from '#web/ui/form/select.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'

interface FieldChoiceProps {
  field: ContactField
  /** As text; nothing for no value. */
  value: string
  onSave: (value: string) => Promise<unknown>
}

/** The value of a field with a few values, saved as soon as another one is chosen. */
export function FieldChoice({ field, value, onSave }: FieldChoiceProps) {
  const id = useId()
  const [busy, setBusy] = useState(false)
  const known =
    field.type === 'boolean'
      ? [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]
      : field.choices.map((choice) => ({ value: choice, label: choice }))
  const isOther = value !== '' && !known.some((one) => one.value === value)
  async function save(chosen: string) {
    setBusy(true)
    try {
      await onSave(chosen)
    } catch (error) {
      toast.error(errorMessage(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="flex min-h-9 items-center gap-x-3 max-sm:flex-col max-sm:items-stretch max-sm:pb-1.5">
      <label htmlFor={id} className="shrink-0 text-sm text-muted wrap-anywhere sm:w-20">
        {field.label}
      </label>
      <Select
        id={id}
        className="min-w-0 flex-1"
        value={value}
        disabled={busy}
        onChange={(event) => void save(event.target.value)}
      >
        <option value="">-</option>
        {isOther && <option value={value}>{value}</option>}
        {known.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </div>
  )
}
