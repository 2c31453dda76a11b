import { X } from 'lucide-react'
import { useState } from 'react'
import type { JourneyStep } from '#contracts/journeys/definition.ts'
import { attributePath, useContactFields, useFindField } from '#web/features/contacts/index.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import type { StepFormProps } from './step-form.tsx'

type FieldStep = Extract<JourneyStep, { kind: 'set_field' }>
type Value = FieldStep['attributes'][string]

/** The custom fields that are filled or cleared. */
export function FieldForm({ step, errors, onChange }: StepFormProps<FieldStep>) {
  const { attributes } = step
  const known = useContactFields().data?.attributes ?? []
  const free = known.filter((name) => !Object.hasOwn(attributes, name))
  const [newName, setNewName] = useState('')
  const set = (name: string, value: Value, typing?: string) =>
    onChange({ ...step, attributes: { ...attributes, [name]: value } }, typing)
  function addNew() {
    const name = newName.trim()
    if (name === '' || name === '__proto__' || Object.hasOwn(attributes, name)) return
    set(name, null)
    setNewName('')
  }
  return (
    <div className="space-y-4">
      {Object.entries(attributes).map(([name, value]) => (
        <FieldRow
          key={name}
          name={name}
          value={value}
          onSet={(next, isTyped) => set(name, next, isTyped ? name : undefined)}
          onRemove={() => {
            const { [name]: _, ...rest } = attributes
            onChange({ ...step, attributes: rest })
          }}
        />
      ))}
      {free.length > 0 && (
        <Field label="Add a field" error={errors.attributes}>
          <Select value="" onChange={(event) => set(event.target.value, null)}>
            <option value="" disabled>
              Choose a field
            </option>
            {free.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          addNew()
        }}
      >
        <Field
          label="Add a new field"
          optional
          hint="Letters, digits, spaces, _ . and -. Press Enter to add it."
          error={free.length === 0 ? errors.attributes : undefined}
        >
          <Input
            value={newName}
            maxLength={64}
            autoComplete="off"
            pattern="[\p{L}\p{N}_ .\-]+"
            onChange={(event) => setNewName(event.target.value)}
          />
        </Field>
      </form>
    </div>
  )
}

interface FieldRowProps {
  name: string
  value: Value
  onSet: (value: Value, isTyped?: boolean) => void
  onRemove: () => void
}

/** One field with the value it gets; nothing entered clears it. */
function FieldRow({ name, value, onSet, onRemove }: FieldRowProps) {
  const field = useFindField()(name)
  const choices =
    field?.type === 'boolean'
      ? [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]
      : field?.type === 'choice'
        ? field.choices.map((choice) => ({ value: choice, label: choice }))
        : undefined
  const text = value === null ? '' : String(value)
  const label = field?.label ?? name
  const read = (entered: string): Value => {
    if (entered === '') return null
    if (field?.type === 'boolean') return entered === 'true'
    return field?.type === 'number' && Number.isFinite(Number(entered)) ? Number(entered) : entered
  }
  return (
    <Field
      label={label}
      hint={text === '' ? 'The field is cleared.' : `{{ ${attributePath(name)} }}`}
      aside={
        <IconButton size="sm" label={`Remove ${label}`} onClick={onRemove}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      }
    >
      {choices ? (
        <Select value={text} onChange={(event) => onSet(read(event.target.value))}>
          <option value="">Clear the field</option>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </Select>
      ) : (
        <Input
          type={field?.type === 'date' ? 'date' : 'text'}
          inputMode={field?.type === 'number' ? 'decimal' : undefined}
          autoComplete="off"
          maxLength={5000}
          value={text}
          onChange={(event) => onSet(read(event.target.value), true)}
        />
      )}
    </Field>
  )
}
