import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { AutomationRules } from '#contracts/whatsapp/automations.ts'
import { useContactFields } from '#web/features/contacts/index.ts'
import { Button, IconButton } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, Textarea } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import type { Errors, RulesProps } from './form.ts'
import { TextRows } from './text-rows.tsx'

type Question = AutomationRules['questions'][number]

const blank = (): Question => ({
  ask: '',
  field: 'name',
  expects: 'text',
  choices: [],
  retry: 'That doesn’t look right. Please try again.',
})

const expectations: [Question['expects'], string][] = [
  ['text', 'Any text'],
  ['email', 'Email address'],
  ['number', 'Number'],
  ['date', 'Date'],
  ['choice', 'Multiple choice'],
]

/** Questions asked one after the other; the replies are stored with the contact. */
export function QuestionFields({ rules, errors, onChange }: RulesProps) {
  const { questions } = rules
  const set = (at: number, change: Partial<Question>) =>
    onChange({ questions: questions.map((one, index) => (index === at ? { ...one, ...change } : one)) })
  const move = (at: number, by: 1 | -1) => {
    const [one] = questions.slice(at, at + 1)
    if (one) onChange({ questions: questions.toSpliced(at, 1).toSpliced(at + by, 0, one) })
  }
  return (
    <Card
      title="Questions"
      description="Asked one at a time after the reply. When all questions are answered, the answers are saved to the contact."
    >
      <div className="space-y-4">
        {questions.length > 0 && (
          <ol className="space-y-4">
            {questions.map((question, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a question is its place
              <li key={at} className="rounded-card border px-4 py-4">
                <div className="mb-3 flex items-center gap-1">
                  <h3 className="flex-1 text-base font-semibold">Question {at + 1}</h3>
                  <IconButton
                    size="sm"
                    label={`Move question ${at + 1} up`}
                    disabled={at === 0}
                    onClick={() => move(at, -1)}
                  >
                    <ArrowUp aria-hidden="true" className="size-4" />
                  </IconButton>
                  <IconButton
                    size="sm"
                    label={`Move question ${at + 1} down`}
                    disabled={at === questions.length - 1}
                    onClick={() => move(at, 1)}
                  >
                    <ArrowDown aria-hidden="true" className="size-4" />
                  </IconButton>
                  <IconButton
                    size="sm"
                    label={`Remove question ${at + 1}`}
                    onClick={() => onChange({ questions: questions.toSpliced(at, 1) })}
                  >
                    <X aria-hidden="true" className="size-4" />
                  </IconButton>
                </div>
                <OneQuestion at={at} question={question} errors={errors} onChange={(change) => set(at, change)} />
              </li>
            ))}
          </ol>
        )}
        {questions.length < 20 && (
          <Button
            size="sm"
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => onChange({ questions: [...questions, blank()] })}
          >
            Add question
          </Button>
        )}
        {questions.length > 0 && (
          <Field label="Message after the last answer" optional error={errors.thanks}>
            <Textarea
              rows={2}
              maxLength={1_024}
              value={rules.thanks}
              onChange={(event) => onChange({ thanks: event.target.value })}
            />
          </Field>
        )}
      </div>
    </Card>
  )
}

interface OneQuestionProps {
  at: number
  question: Question
  errors: Errors
  onChange: (change: Partial<Question>) => void
}

function OneQuestion({ at, question, errors, onChange }: OneQuestionProps) {
  return (
    <div className="space-y-4">
      <Field label="Question" error={errors[`questions.${at}.ask`]}>
        <Input
          maxLength={1_024}
          autoComplete="off"
          value={question.ask}
          onChange={(event) => onChange({ ask: event.target.value })}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <TargetField
          field={question.field}
          error={errors[`questions.${at}.field`]}
          onChange={(field) => onChange({ field })}
        />
        <Field label="Answer type" error={errors[`questions.${at}.expects`]}>
          <Select
            value={question.expects}
            onChange={(event) => {
              const expects = event.target.value as Question['expects']
              onChange({
                expects,
                choices: expects === 'choice' ? (question.choices.length > 0 ? question.choices : ['', '']) : [],
              })
            }}
          >
            {expectations.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {question.expects === 'choice' && (
        <TextRows
          legend="Choices"
          one="Choice"
          hint="2 to 10 choices of up to 20 characters. Up to three are shown as buttons, more as a list."
          texts={question.choices}
          most={10}
          maxLength={20}
          error={errors[`questions.${at}.choices`]}
          onChange={(choices) => onChange({ choices })}
        />
      )}
      {question.expects !== 'text' && (
        <Field
          label="Message for an invalid answer"
          hint="The question is repeated twice. Then a person takes over."
          error={errors[`questions.${at}.retry`]}
        >
          <Input
            maxLength={1_024}
            autoComplete="off"
            value={question.retry}
            onChange={(event) => onChange({ retry: event.target.value })}
          />
        </Field>
      )}
    </div>
  )
}

interface TargetFieldProps {
  field: string
  error: string | undefined
  onChange: (field: string) => void
}

/** Where the answer goes: a field there is, or a new attribute by its name. */
function TargetField({ field, error, onChange }: TargetFieldProps) {
  const attributes = useContactFields().data?.attributes ?? []
  const known = ['name', 'email', ...attributes.map((name) => `attributes.${name}`)]
  const [isNew, setIsNew] = useState(false)
  const naming = isNew || !known.includes(field)
  return (
    <div className="space-y-2">
      <Field label="Save to field" error={naming ? undefined : error}>
        <Select
          value={naming ? '' : field}
          onChange={(event) => {
            setIsNew(event.target.value === '')
            onChange(event.target.value || 'attributes.')
          }}
        >
          <option value="name">Name</option>
          <option value="email">Email address</option>
          {attributes.map((name) => (
            <option key={name} value={`attributes.${name}`}>
              {name}
            </option>
          ))}
          <option value="">Another custom field</option>
        </Select>
      </Field>
      {naming && (
        <Field label="Field name" error={error}>
          <Input
            maxLength={64}
            autoComplete="off"
            placeholder="company"
            value={field.replace(/^attributes\./, '')}
            onChange={(event) => onChange(`attributes.${event.target.value}`)}
          />
        </Field>
      )}
    </div>
  )
}
