import { useState } from 'react'
import { Link } from 'react-router'
import { SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { useContactFields, useFindField } from '#web/features/contacts/index.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { ZoneField } from '#web/ui/form/zoned-fields.tsx'
import { officeHours, weekDays } from '../hours-labels.ts'
import type { Draft } from './draft.ts'

/** Sending hours of an email campaign: at any time, or set hours by the clock of one place or of each recipient. */
export function HoursChoice({ draft: { choices, change } }: { draft: Draft }) {
  return (
    <div className="max-w-xl space-y-4">
      <RadioGroup
        legend="Sending hours"
        options={[
          { value: 'always', label: 'At any time' },
          {
            value: 'hours',
            label: 'During set hours',
            hint: 'Outside these hours, emails stay queued. Sending continues automatically.',
          },
        ]}
        value={choices.window ? 'hours' : 'always'}
        onChange={(kind) => change({ window: kind === 'hours' ? officeHours() : null })}
      />
      {choices.window && (
        <WindowFields window={choices.window} onChange={change}>
          {(zoneField, onZoneField) => <RecipientZoneField value={zoneField} onChange={onZoneField} />}
        </WindowFields>
      )}
    </div>
  )
}

/** The custom field that names a recipient's time zone; empty: everybody has the campaign's. */
function RecipientZoneField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const names = useContactFields().data?.attributes ?? []
  const findField = useFindField()
  return (
    <Field
      label="Time zone of each recipient"
      hint={
        names.length > 0 ? (
          'A custom field with time zones such as Europe/Berlin. Recipients without one get the time zone above.'
        ) : (
          <>
            Your contacts have no custom field yet. Add a text field such as “Time zone” under{' '}
            <Link to="/contacts/fields" className="text-accent-text underline">
              Custom fields
            </Link>{' '}
            or import a column with time zones such as Europe/Berlin, then choose it here.
          </>
        )
      }
    >
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">Same for everyone</option>
        {[...new Set([...(value ? [value] : []), ...names])].map((name) => (
          <option key={name} value={name}>
            {findField(name)?.label ?? name}
          </option>
        ))}
      </Select>
    </Field>
  )
}

interface WindowFieldsProps {
  window: SendingWindow
  onChange: Draft['change']
  /** Shown below the time zone, with the custom field of recipients' time zones. */
  children?: (zoneField: string, onChange: (zoneField: string) => void) => React.ReactNode
}

/** What is not valid yet stays on the screen, with its reason, and is not saved. */
export function WindowFields({ window, onChange, children }: WindowFieldsProps) {
  const [typed, setTyped] = useState(window)
  const problems = SendingWindow.safeParse(typed).error?.issues ?? []
  const wrong = (field: keyof SendingWindow) => problems.find((issue) => issue.path[0] === field)
  function change(part: Partial<SendingWindow>) {
    const next = { ...typed, ...part }
    if (next.zoneField === '') delete next.zoneField
    setTyped(next)
    const parsed = SendingWindow.safeParse(next)
    if (parsed.success) onChange({ window: parsed.data })
  }
  return (
    <div className="space-y-4">
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium text-ink">Days</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-2">
          {weekDays.map(({ day, name }) => (
            <Checkbox
              key={day}
              label={name}
              checked={typed.days.includes(day)}
              onChange={(event) =>
                change({
                  days: event.target.checked
                    ? [...typed.days, day].toSorted((a, b) => a - b)
                    : typed.days.filter((one) => one !== day),
                })
              }
            />
          ))}
        </div>
        {wrong('days') && (
          <p role="alert" className="mt-1.5 text-sm text-harm-text">
            Choose at least one day. Until then, your last choice applies.
          </p>
        )}
      </fieldset>
      <div className="grid gap-3 sm:grid-cols-[8rem_8rem_minmax(0,1fr)]">
        <Field label="From" error={wrong('from') && 'Enter a time such as 09:00.'}>
          <Input type="time" value={typed.from} onChange={(event) => change({ from: event.target.value })} />
        </Field>
        <Field label="To" error={wrong('to') && 'Enter a time after the start.'}>
          {/* A day's end is 24:00; the browser's field knows it as 00:00. */}
          <Input
            type="time"
            value={typed.to === '24:00' ? '00:00' : typed.to}
            onChange={(event) => change({ to: event.target.value === '00:00' ? '24:00' : event.target.value })}
          />
        </Field>
        <ZoneField value={typed.timeZone} onChange={(timeZone) => change({ timeZone })} />
      </div>
      <p className="text-sm text-muted">
        Hours follow this time zone, including daylight saving time. An end of 00:00 means the end of the day.
      </p>
      {children?.(typed.zoneField ?? '', (zoneField) => change({ zoneField }))}
    </div>
  )
}
