import { Plus, X } from 'lucide-react'
import type { Hours } from '#contracts/whatsapp/automations.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { ZoneField } from '#web/ui/form/zoned-fields.tsx'
import { ownZone } from '#web/ui/lib/zoned-time.ts'
import type { RulesProps } from './form.ts'
import { weekDays } from './labels.ts'

type Span = Hours['spans'][number]

const workdays: Span = { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }

/** At any time, within hours, or outside them, in a time zone. */
export function HoursFields({ rules: { hours }, errors, onChange, required }: RulesProps & { required: boolean }) {
  const change = (changes: Partial<Hours>) => hours && onChange({ hours: { ...hours, ...changes } })
  return (
    <div className="space-y-3">
      <Field label="Hours" className="max-w-72" error={errors.hours}>
        <Select
          value={hours?.when ?? ''}
          onChange={(event) => {
            const when = event.target.value as Hours['when'] | ''
            if (when === '') onChange({ hours: null })
            else onChange({ hours: { ...(hours ?? { timeZone: ownZone(), spans: [workdays] }), when } })
          }}
        >
          {!required && <option value="">At any time</option>}
          <option value="inside">Only during these times</option>
          <option value="outside">Only outside these times</option>
        </Select>
      </Field>
      {hours && (
        <>
          <ul className="space-y-3">
            {hours.spans.map((span, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a span is its place
              <li key={at}>
                <SpanFields
                  at={at}
                  span={span}
                  onChange={(changes) => change({ spans: hours.spans.with(at, { ...span, ...changes }) })}
                  onRemove={hours.spans.length > 1 ? () => change({ spans: hours.spans.toSpliced(at, 1) }) : undefined}
                />
              </li>
            ))}
          </ul>
          {hours.spans.length < 20 && (
            <Button
              size="sm"
              icon={<Plus aria-hidden="true" className="size-4" />}
              onClick={() => change({ spans: [...hours.spans, { ...workdays, days: [6] }] })}
            >
              Add times
            </Button>
          )}
          <ZoneField
            className="max-w-72"
            error={errors['hours.timeZone']}
            value={hours.timeZone}
            onChange={(timeZone) => change({ timeZone })}
          />
        </>
      )}
    </div>
  )
}

interface SpanFieldsProps {
  at: number
  span: Span
  onChange: (changes: Partial<Span>) => void
  onRemove: (() => void) | undefined
}

function SpanFields({ at, span, onChange, onRemove }: SpanFieldsProps) {
  const toggle = (day: number) => {
    const days = span.days.includes(day) ? span.days.filter((one) => one !== day) : [...span.days, day].sort()
    if (days.length > 0) onChange({ days })
  }
  const clock = (key: 'from' | 'to', label: string) => (
    <Input
      type="time"
      aria-label={`${label}, times ${at + 1}`}
      className="w-28"
      // A time field knows no 24:00; midnight at the end is the same.
      value={span[key] === '24:00' ? '00:00' : span[key]}
      onChange={(event) => event.target.value && onChange({ [key]: event.target.value })}
    />
  )
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <legend className="sr-only">Times {at + 1}</legend>
      <span className="flex flex-wrap gap-1">
        {weekDays.map(({ day, short }) => (
          <button
            key={day}
            type="button"
            aria-pressed={span.days.includes(day)}
            onClick={() => toggle(day)}
            className="h-9 rounded-control border px-2 text-sm font-medium text-text transition-colors hover:border-control aria-pressed:border-accent-line aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
          >
            {short}
          </button>
        ))}
      </span>
      <span className="flex items-center gap-2 text-sm text-muted">
        {clock('from', 'From')} to {clock('to', 'To')}
        {onRemove && (
          <IconButton label={`Remove times ${at + 1}`} onClick={onRemove}>
            <X aria-hidden="true" className="size-4" />
          </IconButton>
        )}
      </span>
    </fieldset>
  )
}
