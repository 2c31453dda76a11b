import { Field } from '#web/ui/form/field.tsx'
import { Textarea } from '#web/ui/form/input.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'

/** Whether a double opt-in list asks the people of a file; `evidence` where they agreed before. */
export interface TypedOptin {
  optin: 'ask' | 'agreed'
  evidence: string
}

export const optinError = ({ optin, evidence }: TypedOptin): string | undefined =>
  optin === 'agreed' && evidence.trim() === '' ? 'Say how and when these people agreed.' : undefined

interface ImportOptinProps {
  typed: TypedOptin
  error: string | undefined
  onChange: (typed: TypedOptin) => void
}

/** For a double opt-in list: ask everybody, or say how they agreed before. */
export function ImportOptin({ typed, error, onChange }: ImportOptinProps) {
  return (
    <fieldset className="space-y-3">
      <RadioGroup
        legend="Consent to email"
        cards
        options={[
          {
            value: 'ask',
            label: 'Ask them',
            hint: 'Everyone gets a confirmation email at the pace of your sender, and is subscribed once they confirm.',
          },
          {
            value: 'agreed',
            label: 'These people already agreed',
            hint: 'They are subscribed right away. You need to be able to prove it.',
          },
        ]}
        value={typed.optin}
        onChange={(optin) => onChange({ ...typed, optin })}
      />
      {typed.optin === 'agreed' && (
        <Field
          label="How did they agree?"
          hint="Recorded with each contact, with your name and today’s date."
          error={error}
        >
          <Textarea
            rows={2}
            maxLength={1_000}
            placeholder="Signed up on paper at our spring fair, 12 March 2026. The forms are in the archive."
            value={typed.evidence}
            onChange={(event) => onChange({ ...typed, evidence: event.target.value })}
          />
        </Field>
      )}
    </fieldset>
  )
}
