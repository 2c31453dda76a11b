import type { LawfulBasis } from '#contracts/collector.ts'
import { Field } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'

export interface BasisAnswer {
  basis: LawfulBasis | 'unknown' | undefined
  note: string
}

/** General information in two sentences each; what the law generally asks, not what it asks of one reader. */
const options: { value: LawfulBasis | 'unknown'; label: string; hint: string }[] = [
  {
    value: 'consent',
    label: 'They agreed to hear from you',
    hint: 'They said yes to mail from your business, and you can show when and how. For persons that is what the EU, the UK and Canada generally ask for.',
  },
  {
    value: 'customer',
    label: 'They are customers of yours',
    hint: 'They bought from you or asked for an offer, and you write about something similar. The EU and the UK generally allow it if every letter and the sale itself offered a way out; Canada for two years after a purchase.',
  },
  {
    value: 'legitimate_interest',
    label: 'It is business: a legitimate interest',
    hint: 'You write to a company about its work, and weighed that against what these people may expect. The UK and parts of the EU allow it for companies and not for persons; Canada if they published the address for such things; the US generally allows it with true headers, a postal address and a way out.',
  },
  {
    value: 'unknown',
    label: 'I do not know yet',
    hint: 'They are kept as contacts with the page they were found on, and no campaign writes to them. Add them again with a reason when you have one.',
  },
]

const noteHints: Record<LawfulBasis, string> = {
  consent: 'Which form, on which day, with which words.',
  customer: 'What they bought or asked for, and when.',
  legitimate_interest: 'Your interest, why these people may expect it, and how you weighed it.',
}

interface BasisQuestionProps {
  answer: BasisAnswer
  onChange: (answer: BasisAnswer) => void
  error: string | undefined
}

/** Why these people may be written to, in plain words; kept with each contact. */
export function BasisQuestion({ answer, onChange, error }: BasisQuestionProps) {
  const { basis } = answer
  return (
    <div className="space-y-4">
      <div>
        <RadioGroup
          legend="Why may you write to them?"
          cards
          options={options}
          value={basis}
          onChange={(value) => onChange({ ...answer, basis: value })}
        />
        {error && (
          <p role="alert" className="mt-1.5 text-sm text-harm-text">
            {error}
          </p>
        )}
      </div>
      {basis && basis !== 'unknown' && (
        <Field
          label="In your own words"
          optional
          hint={`${noteHints[basis]} It is kept with each contact, as your record.`}
        >
          <Textarea
            rows={3}
            maxLength={1_000}
            value={answer.note}
            onChange={(event) => onChange({ ...answer, note: event.target.value })}
          />
        </Field>
      )}
      <p className="text-sm text-muted">
        This is general information and no legal advice. Whatever the law allows, Google, Yahoo and Apple ask that
        nobody be written to who did not sign up.
      </p>
    </div>
  )
}
