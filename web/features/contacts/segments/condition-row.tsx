import { X } from 'lucide-react'
import { ATTRIBUTE, EVENT } from '#contracts/contacts/conditions.ts'
import type { ContactField } from '#contracts/contacts/fields.ts'
import { IconButton } from '#web/ui/form/button.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { useContactFields, useFindField, useLists, useTags } from '../queries.ts'
import {
  fieldGroups,
  findChoices,
  findValueKind,
  isKnownField,
  labelField,
  labelOperators,
  type ValueKind,
} from './labels.ts'
import { useEventNames, useLatestCampaigns } from './queries.ts'
import { type DraftCondition, withField, withOperator } from './tree.ts'

interface ConditionRowProps {
  condition: DraftCondition
  onChange: (condition: DraftCondition) => void
  onRemove: () => void
}

/** One condition: field, operator, value. */
export function ConditionRow({ condition, onChange, onRemove }: ConditionRowProps) {
  const { field, is } = condition
  const custom = useFindField()(field.slice(ATTRIBUTE.length))
  const label = labelField(field, custom)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2 @md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.2fr)_auto]">
      <FieldSelect field={field} onChange={(next) => onChange(withField(condition, next))} />
      <IconButton size="sm" label={`Remove the condition ${label}`} className="@md:order-last" onClick={onRemove}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
      <Select
        aria-label={`Operator for ${label}`}
        className="@max-md:col-span-2"
        value={is}
        onChange={(event) => onChange(withOperator(condition, event.target.value))}
      >
        {labelOperators(field, custom?.type, is).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <div className="min-w-0 @max-md:col-span-2">
        <Value condition={condition} custom={custom} onChange={(value) => onChange({ ...condition, value })} />
      </div>
    </div>
  )
}

function FieldSelect({ field, onChange }: { field: string; onChange: (field: string) => void }) {
  const names = useContactFields().data?.attributes ?? []
  const findField = useFindField()
  const custom = [...new Set([...names, ...(field.startsWith(ATTRIBUTE) ? [field.slice(ATTRIBUTE.length)] : [])])]
  const recorded = useEventNames().data?.items.map(({ name }) => `${EVENT}${name}`) ?? []
  const events = [...new Set([...recorded, ...(field.startsWith(EVENT) ? [field] : [])])]
  return (
    <Select aria-label="Field" value={field} onChange={(event) => onChange(event.target.value)}>
      {!isKnownField(field) && <option value={field}>{field}</option>}
      {fieldGroups.map((group) => (
        <optgroup key={group.label} label={group.label}>
          {group.fields.map((value) => (
            <option key={value} value={value}>
              {labelField(value)}
            </option>
          ))}
        </optgroup>
      ))}
      {custom.length > 0 && (
        <optgroup label="Custom fields">
          {custom.map((name) => (
            <option key={name} value={`${ATTRIBUTE}${name}`}>
              {findField(name)?.label ?? name}
            </option>
          ))}
        </optgroup>
      )}
      {events.length > 0 && (
        <optgroup label="Custom events">
          {events.map((value) => (
            <option key={value} value={value}>
              {labelField(value)}
            </option>
          ))}
        </optgroup>
      )}
    </Select>
  )
}

interface ValueProps {
  condition: DraftCondition
  /** Where it is a condition on a custom field that is defined. */
  custom: ContactField | undefined
  onChange: (value: string) => void
}

function Value({ condition, custom, onChange }: ValueProps) {
  const { field, is, value } = condition
  const kind = findValueKind(field, is, custom?.type)
  const label = `Value for ${labelField(field, custom)}`
  const control = {
    'aria-label': label,
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  if (kind === 'none') return null
  if (kind === 'day') return <Input type="date" {...control} />
  if (kind === 'number') return <Input inputMode="decimal" autoComplete="off" {...control} />
  if (kind === 'days')
    return (
      <span className="flex items-center gap-2">
        <Input inputMode="numeric" autoComplete="off" className="max-w-28" {...control} />
        <span className="text-base text-text">days</span>
      </span>
    )
  if (kind === 'text' || kind === 'url')
    return (
      <Input autoComplete="off" placeholder={kind === 'url' ? 'https://example.com/page' : undefined} {...control} />
    )
  return <Choice kind={kind} field={field} custom={custom} label={label} value={value} onChange={onChange} />
}

interface ChoiceProps {
  kind: ValueKind
  field: string
  custom: ContactField | undefined
  label: string
  value: string
  onChange: (value: string) => void
}

function Choice({ kind, field, custom, label, value, onChange }: ChoiceProps) {
  const lists = useLists().data?.items
  const tags = useTags().data?.items
  const campaigns = useLatestCampaigns().data?.items
  const named = { list: lists, tag: tags, campaign: campaigns }[kind as 'list' | 'tag' | 'campaign']
  const options = named?.map(({ id, name }) => ({ value: id, label: name || 'Untitled' })) ?? findChoices(field, custom)
  const isMissing = value !== '' && !options.some((option) => option.value === value)
  return (
    <Select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      <option value="" disabled>
        Choose…
      </option>
      {isMissing && <option value={value}>{named ? 'Deleted' : value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
  )
}
