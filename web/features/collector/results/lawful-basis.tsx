import type { LawfulBasis } from '#contracts/collector/collector.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Textarea } from '#web/ui/form/input.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'

export interface BasisChoice {
  basis: LawfulBasis | 'unknown' | undefined
  note: string
}

/** General information in two sentences each; what the law generally asks, not what it asks of one reader. */
const options: { value: LawfulBasis | 'unknown'; label: string; hint: string }[] = [
  {
    value: 'consent',
    label: 'They gave consent',
    hint: 'They agreed to receive email from your business, and you can show when and how. The EU, the UK and Canada generally require this for individuals.',
  },
  {
    value: 'customer',
    label: 'They are customers',
    hint: 'They bought from you or asked for a quote, and you write about something similar. The EU and the UK generally allow it if the sale and every email offered an opt-out. Canada allows it for two years after a purchase.',
  },
  {
    value: 'legitimate_interest',
    label: 'Legitimate interest (business contacts)',
    hint: 'You write to a company about its work, and weighed your interest against what these people may expect. The UK and parts of the EU allow it for companies but not for individuals. Canada allows it if they published the address for such messages. The US generally allows it with accurate headers, a postal address and an opt-out.',
  },
  {
    value: 'unknown',
    label: 'I don’t know yet',
    hint: 'They are saved as contacts with their source page, but campaigns skip them. Add them again with a basis when you have one.',
  },
]

const noteHints: Record<LawfulBasis, string> = {
  consent: 'Which form, on which date, with which wording.',
  customer: 'What they bought or asked for, and when.',
  legitimate_interest: 'Your interest, why these people may expect your message, and how you weighed it.',
}

interface BasisQuestionProps {
  choice: BasisChoice
  onChange: (choice: BasisChoice) => void
  error: string | undefined
}

/** Why these people may be written to, in plain words; stored with each contact. */
export function BasisQuestion({ choice, onChange, error }: BasisQuestionProps) {
  const { basis } = choice
  return (
    <div className="space-y-4">
      <div>
        <RadioGroup
          legend="What is your lawful basis?"
          cards
          options={options}
          value={basis}
          onChange={(value) => onChange({ ...choice, basis: value })}
        />
        {error && (
          <p role="alert" className="mt-1.5 text-sm text-harm-text">
            {error}
          </p>
        )}
      </div>
      {basis && basis !== 'unknown' && (
        <Field label="Details" optional hint={`${noteHints[basis]} It is saved with each contact for your records.`}>
          <Textarea
            rows={3}
            maxLength={1_000}
            value={choice.note}
            onChange={(event) => onChange({ ...choice, note: event.target.value })}
          />
        </Field>
      )}
      <p className="text-sm text-muted">
        This is general information, not legal advice. Whatever the law allows, Google, Yahoo and Apple ask you to email
        only people who signed up.
      </p>
    </div>
  )
}
