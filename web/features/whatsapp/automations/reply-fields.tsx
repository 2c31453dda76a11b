import { useContactFields } from '#web/features/contacts/index.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Textarea } from '#web/ui/form/input.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import type { RulesProps } from './form.ts'
import { TextRows } from './text-rows.tsx'

/** What is said, with buttons under it. */
export function ReplyFields({ rules, errors, onChange }: RulesProps) {
  const attribute = useContactFields().data?.attributes.find((name) => /^[\p{L}\p{N}_ -]+$/u.test(name))
  return (
    <Card title="Action">
      <div className="space-y-5">
        <Field
          label="Reply"
          optional={rules.questions.length > 0 || rules.handOver}
          error={errors.reply}
          hint={
            <>
              You can use merge fields: <code>{'{{ name | default: "there" }}'}</code>
              {attribute && (
                <>
                  {' '}
                  or <code>{`{{ attributes.${attribute} }}`}</code>
                </>
              )}
              .
            </>
          }
        >
          <Textarea
            rows={4}
            maxLength={4_096}
            value={rules.reply}
            onChange={(event) => onChange({ reply: event.target.value })}
          />
        </Field>
        {rules.questions.length === 0 && (
          <TextRows
            legend="Reply buttons"
            optional
            one="Button"
            hint="Up to 3 buttons of up to 20 characters. A tap arrives as a message, so a keyword can reply to it."
            texts={rules.buttons}
            most={3}
            maxLength={20}
            error={errors.buttons}
            onChange={(buttons) => onChange({ buttons })}
          />
        )}
      </div>
    </Card>
  )
}
