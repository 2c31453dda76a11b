import { useRef } from 'react'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import type { Draft } from './draft.ts'
import { NameField } from './name-field.tsx'
import { StepFrame } from './step-frame.tsx'

/** Create campaign: its name, its subject, what is counted. */
export function CampaignStep({ draft }: { draft: Draft }) {
  const { choices, change, query } = draft
  const subject = useRef<HTMLInputElement>(null)
  const fields = query.data?.merge?.fields ?? []
  function insert(field: string) {
    const { selectionStart, selectionEnd } = subject.current ?? {}
    const at = selectionStart ?? choices.subject.length
    const text = `{{ ${field} }}`
    change({ subject: choices.subject.slice(0, at) + text + choices.subject.slice(selectionEnd ?? at) }, true)
    requestAnimationFrame(() => {
      subject.current?.focus()
      subject.current?.setSelectionRange(at + text.length, at + text.length)
    })
  }
  return (
    <StepFrame
      title="Subject and tracking"
      hint="The subject is the first thing recipients see. The campaign name is only for you."
    >
      <div className="max-w-xl space-y-5">
        <Field label="Subject" hint={'You can use merge fields: {{ name | default: "there" }}.'}>
          <Input
            ref={subject}
            value={choices.subject}
            maxLength={300}
            autoComplete="off"
            onChange={(event) => change({ subject: event.target.value }, true)}
          />
        </Field>
        {fields.length > 0 && (
          <fieldset className="flex flex-wrap items-center gap-1.5">
            <legend className="float-left mr-1 py-0.5 text-sm text-muted">Insert:</legend>
            {fields.map((field) => (
              <Button key={field} size="sm" onClick={() => insert(field)}>
                {field.replace(/^attributes(\.|\[")/, '').replace(/"\]$/, '')}
              </Button>
            ))}
          </fieldset>
        )}
        <NameField draft={draft} />
        <fieldset className="space-y-3">
          <legend className="mb-1.5 text-sm font-medium text-ink">Tracking</legend>
          <Checkbox
            label="Opens"
            hint="Track opens with a pixel. Open counts are estimates; opens by machines are filtered out."
            checked={choices.trackOpens}
            onChange={(event) => change({ trackOpens: event.target.checked })}
          />
          <Checkbox
            label="Clicks"
            hint="Track clicks on links in this email. Without it, clicks are unknown."
            checked={choices.trackClicks}
            onChange={(event) => change({ trackClicks: event.target.checked })}
          />
        </fieldset>
      </div>
    </StepFrame>
  )
}
