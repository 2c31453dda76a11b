import { Plus, X } from 'lucide-react'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Input } from '#web/ui/form/input.tsx'

export interface AttributeRow {
  key: number
  name: string
  value: string
}

let made = 0

/** The rows as attributes; a row without a name is none. */
export function toAttributes(rows: AttributeRow[]): Record<string, string> {
  return Object.fromEntries(rows.filter((row) => row.name.trim()).map((row) => [row.name.trim(), row.value]))
}

/**
 * What was typed into a field, as the type it had before: a number stays a number and a yes or no stays one where the text
 * still says one. Nothing typed is null, which removes the field.
 */
export function toAttributeValue(text: string, before: string | number | boolean | null | undefined) {
  if (text === '') return null
  if (typeof before === 'number' && Number.isFinite(Number(text))) return Number(text)
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

/** Free fields of a contact: a name and a value each, for {{ attributes.name }} in an email. */
export function AttributeRows({
  rows,
  known,
  onChange,
}: {
  rows: AttributeRow[]
  known: string[]
  onChange: (rows: AttributeRow[]) => void
}) {
  const set = (key: number, change: Partial<AttributeRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium text-ink">
        Custom fields <span className="font-normal text-muted">(optional)</span>
      </legend>
      <datalist id="known-attributes">
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <div className="space-y-2">
        {rows.map((row) => (
          <div key={row.key} className="flex items-center gap-2">
            <Input
              aria-label="Field name"
              placeholder="company"
              list="known-attributes"
              value={row.name}
              onChange={(event) => set(row.key, { name: event.target.value })}
            />
            <Input
              aria-label={`Value of ${row.name || 'the field'}`}
              placeholder="Value"
              value={row.value}
              onChange={(event) => set(row.key, { value: event.target.value })}
            />
            <IconButton
              label={`Remove ${row.name || 'this field'}`}
              onClick={() => onChange(rows.filter((other) => other.key !== row.key))}
            >
              <X aria-hidden="true" className="size-4" />
            </IconButton>
          </div>
        ))}
        <Button
          size="sm"
          icon={<Plus aria-hidden="true" className="size-4" />}
          onClick={() => onChange([...rows, { key: made++, name: '', value: '' }])}
        >
          Add custom field
        </Button>
      </div>
      <p className="mt-1.5 text-sm text-muted">Use them in emails as {'{{ attributes.company }}'}.</p>
    </fieldset>
  )
}
