import { type JourneyStep, MAX_WAIT, MAX_WAIT_DAYS } from '#contracts/journeys/definition.ts'
import { FilterFields } from '#web/features/contacts/index.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { formatNumber } from '#web/ui/lib/format.ts'
import { CheckedInput } from './checked-input.tsx'
import { ListField, TagField } from './choice-fields.tsx'
import { EmailForm } from './email-form.tsx'
import { FieldForm } from './field-form.tsx'

export interface StepFormProps<S extends JourneyStep = JourneyStep> {
  step: S
  /** What is wrong with it, by field. */
  errors: Partial<Record<string, string>>
  /** With a `typing` key the changes of one field that follow each other are one step back. */
  onChange: (step: JourneyStep, typing?: string) => void
}

/** The settings of a step. */
export function StepForm({ step, errors, onChange }: StepFormProps) {
  switch (step.kind) {
    case 'email':
      return <EmailForm step={step} errors={errors} onChange={onChange} />
    case 'wait':
      return <WaitForm step={step} errors={errors} onChange={onChange} />
    case 'branch':
      return (
        <>
          <p className="mb-4 text-base text-muted">
            Checked when a contact gets here. Contacts who match continue with Yes, the others with No. Both continue
            with the step after the branch.
          </p>
          <FilterFields
            filter={step.filter}
            onChange={(filter) => onChange({ ...step, filter }, `${step.id} filter`)}
          />
        </>
      )
    case 'tag':
    case 'untag':
      return (
        <TagField
          label="Tag"
          hint={step.kind === 'tag' ? 'Journeys that start with this tag start too.' : undefined}
          value={step.tagId}
          error={errors.tagId}
          onChange={(tagId) => onChange({ ...step, tagId })}
        />
      )
    case 'add_to_list':
    case 'remove_from_list':
      return (
        <ListField
          label="List"
          hint={
            step.kind === 'add_to_list' ? 'A list with double opt-in asks the contact to confirm first.' : undefined
          }
          value={step.listId}
          error={errors.listId}
          onChange={(listId) => onChange({ ...step, listId })}
        />
      )
    case 'set_field':
      return <FieldForm step={step} errors={errors} onChange={onChange} />
    case 'exit':
      return <p className="text-base text-muted">Contacts who get here leave the journey.</p>
  }
}

function WaitForm({ step, errors, onChange }: StepFormProps<Extract<JourneyStep, { kind: 'wait' }>>) {
  const { amount, unit } = step
  const most = MAX_WAIT[unit]
  const check = (text: string) =>
    /^[1-9]\d*$/.test(text.trim()) && Number(text) <= most
      ? undefined
      : `Enter a whole number from 1 to ${formatNumber(most)}.`
  return (
    <div className="space-y-3">
      <div className="grid grid-cols-2 items-start gap-3">
        <CheckedInput
          key={unit}
          label="Wait"
          inputMode="numeric"
          value={String(amount)}
          check={check}
          onEnter={(text) => onChange({ ...step, amount: Number(text) }, `${step.id} amount`)}
        />
        <Field label="Unit" error={errors.amount}>
          <Select
            value={unit}
            onChange={(event) => {
              const next = event.target.value as typeof unit
              onChange({ ...step, unit: next, amount: Math.min(amount, MAX_WAIT[next]) })
            }}
          >
            <option value="minutes">Minutes</option>
            <option value="hours">Hours</option>
            <option value="days">Days</option>
          </Select>
        </Field>
      </div>
      <p className="text-sm text-muted">Counted from the moment a contact gets here. At most {MAX_WAIT_DAYS} days.</p>
    </div>
  )
}
