import { type Draft, officeHours, StepFrame, WindowFields } from '#web/features/campaigns/index.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'

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
