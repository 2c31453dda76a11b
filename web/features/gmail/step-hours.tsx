import { useState } from 'react'
import { SendingWindow } from '#contracts/campaign-parts.ts'
import { type Draft, StepFrame, weekDays } from '#web/features/campaigns/index.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { Select } from '#web/ui/select.tsx'
import { ownZone, timeZones } from '#web/ui/zoned-time.ts'

/** Office hours where the writer is, to begin with. */
const officeHours = (): SendingWindow => ({ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00', timeZone: ownZone() })

/** Sending hours: when messages may leave, and whether a day's are spread over that time. */
export function HoursStep({ draft: { answers, change } }: { draft: Draft }) {
  return (
    <StepFrame
      title="When may it send?"
      hint="What does not fit into a day goes out on the next. While it waits for its hours, nothing is lost."
    >
      <div className="max-w-xl space-y-6">
        <RadioGroup
          legend="Sending hours"
          cards
          value={answers.window ? 'hours' : 'always'}
          onChange={(kind) => change({ window: kind === 'hours' ? officeHours() : null })}
          options={[
            { value: 'always', label: 'At any time', hint: 'Day and night, as fast as the accounts may.' },
            { value: 'hours', label: 'Only at certain hours', hint: 'For example Mon to Fri, 09:00 to 17:00.' },
          ]}
        />
        {answers.window && <WindowFields window={answers.window} onChange={change} />}
        <Checkbox
          label="Spread a day’s messages evenly"
          hint="Each account sends what it may in a day at even distances over the sending hours, and not all at the beginning. Each pause is a little longer than it has to be, and no two are alike."
          checked={answers.spread}
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
            Choose at least one day. Until then the last choice is kept.
          </p>
        )}
      </fieldset>
      <div className="grid gap-3 sm:grid-cols-[8rem_8rem_minmax(0,1fr)]">
        <Field label="From" error={wrong('from') && 'Enter a time such as 09:00.'}>
          <Input type="time" value={typed.from} onChange={(event) => change({ from: event.target.value })} />
        </Field>
        <Field label="To" error={wrong('to') && 'Enter a time later than the first.'}>
          {/* A day's end is 24:00; the browser's field knows it as 00:00. */}
          <Input
            type="time"
            value={typed.to === '24:00' ? '00:00' : typed.to}
            onChange={(event) => change({ to: event.target.value === '00:00' ? '24:00' : event.target.value })}
          />
        </Field>
        <Field label="Time zone">
          <Select value={typed.timeZone} onChange={(event) => change({ timeZone: event.target.value })}>
            {timeZones().map((zone) => (
              <option key={zone} value={zone}>
                {zone.replaceAll('_', ' ')}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <p className="text-sm text-muted">
        By the clocks of that place, summer time included. An end at 00:00 is the end of the day.
      </p>
    </div>
  )
}
