import { useState } from 'react'
import type { AutomationRules } from '#contracts/whatsapp-automations.ts'
import { Card } from '#web/ui/card.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { ConditionFields } from './condition-fields.tsx'
import type { RulesProps } from './form.ts'
import { HoursFields } from './hours-fields.tsx'
import type { Kind } from './words.ts'

/** When it answers: words, conditions, hours. */
export function WhenFields({ kind, ...props }: RulesProps & { kind: Kind }) {
  return (
    <Card title="When it answers">
      <div className="space-y-5">
        {kind === 'keyword' && <KeywordFields {...props} />}
        <HoursFields required={kind === 'away'} {...props} />
        <ConditionFields {...props} />
      </div>
    </Card>
  )
}

const matches: [AutomationRules['match'], string][] = [
  ['word', 'has one of them as a word'],
  ['starts', 'begins with one of them'],
  ['exact', 'is one of them and nothing else'],
]

function KeywordFields({ rules, errors, onChange }: RulesProps) {
  // Kept as typed: a comma at the end is no empty word yet.
  const [text, setText] = useState(rules.keywords.join(', '))
  return (
    <>
      <Field
        label="Words"
        error={errors.keywords}
        hint="Separated by commas. Capitals and punctuation do not matter; “offer” is not found in “coffers”."
      >
        <Input
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            const words = event.target.value.split(/[,;\n]/).map((word) => word.trim())
            onChange({ keywords: [...new Set(words.filter((word) => word !== ''))] })
          }}
        />
      </Field>
      <Field label="The message" className="max-w-72">
        <Select
          value={rules.match}
          onChange={(event) => onChange({ match: event.target.value as AutomationRules['match'] })}
        >
          {matches.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
    </>
  )
}
