import { useState } from 'react'
import { SendingWindow } from '#contracts/campaigns/channels/gmail/campaign.ts'
import { type Draft, StepFrame, weekDays } from '#web/features/campaigns/index.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { ZoneField } from '#web/ui/form/zoned-fields.tsx'
import { officeHours } from './office-hours.ts'

/** Sending hours: when messages may leave, and whether a day's are spread over that time. */
export function HoursStep({ draft: { choices, change } }: { draft: Draft }) {
  return (
    <StepFrame
      title="Choose sending hours"
      hint="Emails that don’t fit into one day are sent on the next. They stay queued outside these hours."
    >
      <div className="max-w-xl space-y-6">
        <RadioGroup
          legend="Sending hours"
          cards
          value={choices.window ? 'hours' : 'always'}
          onChange={(kind) => change({ window: kind === 'hours' ? officeHours() : null })}
          options={[
            {
              value: 'hours',
              label: 'During set hours (recommended)',
              hint: 'Emails sent during working hours look like yours and get more replies.',
            },
            { value: 'always', label: 'At any time', hint: 'Day and night, as fast as the account limits allow.' },
          ]}
        />
        {choices.window && <WindowFields window={choices.window} onChange={change} />}
        <Checkbox
          label="Spread emails evenly over the day"
          hint="Each account spreads its daily limit over the sending hours instead of sending everything at the start. Pauses are slightly longer than required and vary in length."
          checked={choices.spread}
          onChange={(event) => change({ spread: event.target.checked })}
        />
      </div>
    </StepFrame>
  )
}

/** What is not valid yet stays on the screen, with its reason, and is not saved. */
function WindowFields({ window, onChange }: { window: SendingWindow; onChange: Draft['change'] }) {
  const [typed, setTyped] = useState(window)
  const problems = SendingWindow.safeParse(typed).error?.issues ?? []
  const wrong = (field: keyof SendingWindow) => problems.find((issue) => issue.path[0] === field)
  function change(part: Partial<SendingWindow>) {
    const next = { ...typed, ...part }
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
    </div>
  )
}
