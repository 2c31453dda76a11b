import { useState } from 'react'
import type { AutomationRules } from '#contracts/whatsapp/automations.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { ConditionFields } from './condition-fields.tsx'
import type { RulesProps } from './form.ts'
import { HoursFields } from './hours-fields.tsx'
import type { AutomationKind } from './labels.ts'

/** When an automation replies: keywords, conditions, hours. */
export function WhenFields({ kind, ...props }: RulesProps & { kind: AutomationKind }) {
  return (
    <Card title="Trigger">
      <div className="space-y-5">
        {kind === 'keyword' && <KeywordFields {...props} />}
        <HoursFields required={kind === 'away'} {...props} />
        <ConditionFields {...props} />
      </div>
    </Card>
  )
}

const matches: [AutomationRules['match'], string][] = [
  ['word', 'contains one of them as a word'],
  ['starts', 'starts with one of them'],
  ['exact', 'matches exactly'],
]

function KeywordFields({ rules, errors, onChange }: RulesProps) {
  // The text stays as typed: a comma at the end is no empty word yet.
  const [text, setText] = useState(rules.keywords.join(', '))
  return (
    <>
      <Field
        label="Keywords"
        error={errors.keywords}
        hint="Separate keywords with commas. Case and punctuation are ignored. Only whole words match: “offer” does not match “coffers”."
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
