import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import type { Draft } from './draft.ts'

/** The campaign's name. An empty one is not saved, and the field says so. */
export function NameField({ draft: { choices, change } }: { draft: Draft }) {
  return (
    <Field
      label="Campaign name"
      hint="Internal name. It follows the subject until you change it."
      error={choices.name.trim() === '' ? 'Enter a campaign name. Until then, the last name is used.' : undefined}
    >
      <Input
        value={choices.name}
        maxLength={120}
        autoComplete="off"
        onChange={(event) => change({ name: event.target.value }, true)}
      />
    </Field>
  )
}
