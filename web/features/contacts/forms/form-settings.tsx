import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, Textarea } from '#web/ui/form/input.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { Switch } from '#web/ui/form/switch.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { useLists, useTags } from '../queries.ts'
import type { FormDraft } from './draft.ts'
import { FieldsEditor } from './fields-editor.tsx'
import type { FormErrors } from './form-page.tsx'

interface PartProps {
  draft: FormDraft
  errors: FormErrors
  onChange: (part: Partial<FormDraft>) => void
}

type TextKey = { [Key in keyof FormDraft]: FormDraft[Key] extends string ? Key : never }[keyof FormDraft]

/** A control for one text of the draft. */
const bind = ({ draft, onChange }: PartProps, key: TextKey) => ({
  value: draft[key],
  onChange: (event: { target: { value: string } }) => onChange({ [key]: event.target.value }),
})

/** What people read and what they are asked. */
export function ContentCard(part: PartProps) {
  const { draft, errors, onChange } = part
  return (
    <Card title="Content">
      <div className="space-y-4 pt-1">
        <Field label="Name" hint="Only you see it." error={errors.name}>
          <Input autoComplete="off" maxLength={120} placeholder="Website footer" {...bind(part, 'name')} />
        </Field>
        <Field label="Heading" error={errors.heading}>
          <Input autoComplete="off" maxLength={120} {...bind(part, 'heading')} />
        </Field>
        <Field label="Description" hint="What they get, and how often." error={errors.description}>
          <Textarea rows={2} maxLength={1_000} {...bind(part, 'description')} />
        </Field>
        <fieldset>
          <legend className="mb-1.5 text-sm font-medium text-ink">Fields</legend>
          <FieldsEditor fields={draft.fields} onChange={(fields) => onChange({ fields })} />
        </fieldset>
        <Field
          label="Consent"
          hint="Stored with each sign-up. A changed text is a new version; earlier consent keeps the text people read."
          error={errors.consentWording}
        >
          <Textarea rows={3} maxLength={2_000} {...bind(part, 'consentWording')} />
        </Field>
        <Field label="Button" error={errors.button}>
          <Input autoComplete="off" maxLength={60} {...bind(part, 'button')} />
        </Field>
      </div>
    </Card>
  )
}

/** The lists and tags people get, and how they join. */
export function ListsCard({ draft, errors, onChange }: PartProps) {
  const lists = useLists().data?.items ?? []
  const tags = useTags().data?.items ?? []
  const toggle = (key: 'lists' | 'tags', id: string, on: boolean) =>
    onChange({ [key]: on ? [...draft[key], id] : draft[key].filter((other) => other !== id) })
  const forced = lists.some(({ id, optin }) => optin === 'double' && draft.lists.includes(id))
  return (
    <Card title="Lists">
      <div className="space-y-4 pt-1">
        <fieldset>
          <legend className="mb-2 text-sm font-medium text-ink">People join</legend>
          <div className="max-h-48 space-y-2 overflow-y-auto">
            {lists.map(({ id, name, optin }) => (
              <Checkbox
                key={id}
                label={name}
                hint={optin === 'double' ? 'Double opt-in' : undefined}
                checked={draft.lists.includes(id)}
                onChange={(event) => toggle('lists', id, event.target.checked)}
              />
            ))}
            {lists.length === 0 && <p className="text-sm text-muted">Create a list first, under Lists.</p>}
          </div>
          {errors.lists && (
            <p role="alert" className="mt-1.5 text-sm text-harm-text">
              {errors.lists}
            </p>
          )}
        </fieldset>
        {tags.length > 0 && (
          <fieldset>
            <legend className="mb-2 text-sm font-medium text-ink">Add tags</legend>
            <div className="flex max-h-40 flex-wrap gap-x-5 gap-y-2 overflow-y-auto">
              {tags.map(({ id, name }) => (
                <Checkbox
                  key={id}
                  label={name}
                  checked={draft.tags.includes(id)}
                  onChange={(event) => toggle('tags', id, event.target.checked)}
                />
              ))}
            </div>
          </fieldset>
        )}
        <RadioGroup
          legend="Subscription"
          cards
          options={[
            {
              value: 'double',
              label: 'Double opt-in',
              hint: 'They confirm by email. Proves that the address is theirs.',
            },
            {
              value: 'single',
              label: 'Single opt-in',
              hint: forced
                ? 'Not possible: one of the lists has double opt-in.'
                : 'They are subscribed right away. Anybody can type in any address.',
              disabled: forced,
            },
          ]}
          value={forced ? 'double' : draft.optin}
          onChange={(optin) => onChange({ optin })}
        />
      </div>
    </Card>
  )
}

/** What happens afterwards, and where the form may be used. */
export function SettingsCard(part: PartProps) {
  const { draft, errors, onChange } = part
  return (
    <Card title="Settings">
      <div className="space-y-4 pt-1">
        <Field label="Thank-you text" hint="Shown above the default message after sign-up." error={errors.successText}>
          <Textarea rows={2} maxLength={1_000} {...bind(part, 'successText')} />
        </Field>
        <Field
          label="Redirect to"
          hint="Your own thank-you page. Leave empty for the default page."
          error={errors.redirectUrl}
        >
          <Input
            type="url"
            autoComplete="off"
            placeholder="https://example.com/thanks"
            {...bind(part, 'redirectUrl')}
          />
        </Field>
        <Field label="Address" hint="The end of the URL, after /f/. Leave empty to use the name." error={errors.slug}>
          <Input autoComplete="off" maxLength={60} placeholder="spring-newsletter" {...bind(part, 'slug')} />
        </Field>
        <Field
          label="Sites"
          hint="One per line. The script for your website works on these sites only."
          error={errors.allowedOrigins}
        >
          <Textarea rows={2} placeholder="https://example.com" {...bind(part, 'allowedOrigins')} />
        </Field>
        <div className="flex items-start justify-between gap-4">
          <div className="min-w-0">
            <p className="text-sm font-medium text-ink">Proof of work</p>
            <p className="mt-0.5 text-sm text-muted">
              The visitor’s browser computes for a moment before the form can be sent, which makes spam expensive. No
              third party is involved. Visitors need JavaScript.
            </p>
          </div>
          <Switch label="Proof of work" on={draft.proofOfWork} onChange={(proofOfWork) => onChange({ proofOfWork })} />
        </div>
      </div>
    </Card>
  )
}
