import { useEffect, useState } from 'react'
import { attributePath, useMergeFields } from '#web/features/contacts/index.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import {
  COMPARISONS,
  type Comparison,
  type Condition,
  needsValue,
  readCondition,
  toLiquid,
  valueProblem,
} from './conditions.ts'

const OWN = [
  { path: 'name', label: 'Name' },
  { path: 'email', label: 'Email address' },
  { path: 'phone', label: 'Phone number' },
]
const FIRST: Condition = { field: 'name', comparison: 'exists', value: '' }

interface ConditionSetterProps {
  /** As the email has it: Liquid without its tag; null where everybody sees the element. */
  condition: string | null
  onChange: (condition: string) => void
}

/** Who gets to see an element: everybody, or only whose field is as asked for. */
export function ConditionSetter({ condition, onChange }: ConditionSetterProps) {
  const read = condition === null ? undefined : readCondition(condition)
  return (
    <section aria-label="Audience" className="space-y-3 border-t pt-4">
      <Field label="Visibility">
        <Select
          value={condition === null ? 'all' : 'some'}
          onChange={(event) => onChange(event.target.value === 'all' ? '' : toLiquid(FIRST))}
        >
          <option value="all">Everyone</option>
          <option value="some">If…</option>
        </Select>
      </Field>
      {read && <Builder condition={read} onChange={(changed) => onChange(toLiquid(changed))} />}
      {condition !== null && !read && (
        <>
          <p className="text-sm text-muted">
            If <code className="font-mono text-ink wrap-anywhere">{condition}</code>. This condition was written in the
            code. Edit it there.
          </p>
          <Button size="sm" onClick={() => onChange('')}>
            Show to everyone
          </Button>
        </>
      )}
      {condition !== null && (
        <p className="text-sm text-muted">
          Other recipients get the email without it. The preview shows what each contact gets.
        </p>
      )}
    </section>
  )
}

function Builder({ condition, onChange }: { condition: Condition; onChange: (condition: Condition) => void }) {
  const attributes = useMergeFields().map(({ name, label }) => ({ path: attributePath(name), label }))
  const fields = [...OWN, ...attributes]
  const isKnown = fields.some(({ path }) => path === condition.field)
  const [value, setValue] = useState(condition.value)
  useEffect(() => setValue(condition.value), [condition.value])
  const problem = valueProblem(value)
  return (
    <>
      <Field label="Field">
        <Select value={condition.field} onChange={(event) => onChange({ ...condition, field: event.target.value })}>
          {!isKnown && <option value={condition.field}>{condition.field}</option>}
          {OWN.map(({ path, label }) => (
            <option key={path} value={path}>
              {label}
            </option>
          ))}
          {attributes.length > 0 && (
            <optgroup label="Custom fields">
              {attributes.map(({ path, label }) => (
                <option key={path} value={path}>
                  {label}
                </option>
              ))}
            </optgroup>
          )}
        </Select>
      </Field>
      <Field label="Comparison">
        <Select
          value={condition.comparison}
          onChange={(event) => onChange({ ...condition, comparison: event.target.value as Comparison })}
        >
          {COMPARISONS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      {needsValue(condition.comparison) && (
        <Field label="Value" error={problem} hint="Case-sensitive: Lisbon is not lisbon.">
          <Input
            value={value}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => {
              setValue(event.target.value)
              if (!valueProblem(event.target.value)) onChange({ ...condition, value: event.target.value })
            }}
          />
        </Field>
      )}
    </>
  )
}
