import { CircleAlert, Plus, X } from 'lucide-react'
import type { AutomationRules } from '#contracts/whatsapp/automations.ts'
import { useContactFields, useLists } from '#web/features/contacts/index.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { fieldName, type RulesProps } from './form.ts'

type Condition = AutomationRules['conditions'][number]

const operators: [Condition['is'], string][] = [
  ['equals', 'is'],
  ['not_equals', 'is not'],
  ['contains', 'contains'],
  ['set', 'has a value'],
  ['not_set', 'has no value'],
]
const ofList: [Condition['is'], string][] = [
  ['equals', 'is on'],
  ['not_equals', 'is not on'],
]

/** What must be true of the person's contact; all of it. */
export function ConditionFields({ rules: { conditions }, errors, onChange }: RulesProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium text-ink">
        Conditions <span className="font-normal text-muted">(optional)</span>
      </legend>
      <ul className="space-y-2">
        {conditions.map((condition, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a condition is its place
          <li key={at}>
            <ConditionRow
              at={at}
              condition={condition}
              onChange={(changes) => onChange({ conditions: conditions.with(at, { ...condition, ...changes }) })}
              onRemove={() => onChange({ conditions: conditions.toSpliced(at, 1) })}
            />
            {errors[`conditions.${at}`] && (
              <p className="mt-1 flex gap-1.5 text-sm text-harm-text">
                <CircleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
                {errors[`conditions.${at}`]}
              </p>
            )}
          </li>
        ))}
      </ul>
      {conditions.length < 10 && (
        <Button
          size="sm"
          className={conditions.length > 0 ? 'mt-2' : ''}
          icon={<Plus aria-hidden="true" className="size-4" />}
          onClick={() => onChange({ conditions: [...conditions, { field: 'name', is: 'set', value: '' }] })}
        >
          Add condition
        </Button>
      )}
      <p className="mt-1.5 text-sm text-muted">
        About the contact with this phone number. All conditions must match. Unknown people have no field values.
      </p>
    </fieldset>
  )
}

interface ConditionRowProps {
  at: number
  condition: Condition
  onChange: (changes: Partial<Condition>) => void
  onRemove: () => void
}

function ConditionRow({ at, condition, onChange, onRemove }: ConditionRowProps) {
  const attributes = useContactFields().data?.attributes ?? []
  const fields = [
    ...new Set(['name', 'email', 'phone', 'list', ...attributes.map((name) => `attributes.${name}`), condition.field]),
  ]
  const isList = condition.field === 'list'
  const needsValue = isList || (condition.is !== 'set' && condition.is !== 'not_set')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 sm:grid-cols-[10rem_8.5rem_minmax(0,1fr)_auto]">
      <Select
        aria-label={`Field of condition ${at + 1}`}
        className="max-sm:col-start-1"
        value={condition.field}
        onChange={(event) =>
          onChange({ field: event.target.value, value: '', is: event.target.value === 'list' ? 'equals' : 'set' })
        }
      >
        {fields.map((field) => (
          <option key={field} value={field}>
            {fieldName(field)}
          </option>
        ))}
      </Select>
      <Select
        aria-label={`Comparison of condition ${at + 1}`}
        className="max-sm:col-start-1"
        value={condition.is}
        onChange={(event) => onChange({ is: event.target.value as Condition['is'] })}
      >
        {(isList ? ofList : operators).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      {needsValue ? (
        <ValueField at={at} condition={condition} onChange={(value) => onChange({ value })} />
      ) : (
        <span className="max-sm:hidden" />
      )}
      <IconButton
        label={`Remove condition ${at + 1}`}
        className="max-sm:col-start-2 max-sm:row-start-1"
        onClick={onRemove}
      >
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </div>
  )
}

function ValueField({
  at,
  condition,
  onChange,
}: {
  at: number
  condition: Condition
  onChange: (value: string) => void
}) {
  const lists = useLists()
  const label = `Value of condition ${at + 1}`
  if (condition.field === 'list')
    return (
      <Select
        aria-label={label}
        className="max-sm:col-start-1"
        value={condition.value}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">Choose a list</option>
        {lists.data?.items.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    )
  return (
    <Input
      aria-label={label}
      className="max-sm:col-start-1"
      maxLength={500}
      autoComplete="off"
      value={condition.value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
