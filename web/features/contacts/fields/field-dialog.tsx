import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type ContactField, type FieldType, fields } from '#contracts/contacts/fields.ts'
import { api } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input, Textarea } from '#web/ui/form/input.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { FieldUses } from './field-uses.tsx'
import { toChoices, typeOptions } from './labels.ts'

/** The name a label suggests: what merge fields can hold without quotes. */
const suggestName = (label: string): string =>
  label
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64)

/** Makes a custom field, or changes how it is shown and what it takes. */
export function FieldDialog({ field, onClose }: { field: ContactField | null; onClose: () => void }) {
  const queries = useQueryClient()
  const [type, setType] = useState<FieldType>(field?.type ?? 'text')
  const [choices, setChoices] = useState(field?.choices.join('\n') ?? '')
  const [choiceError, setChoiceError] = useState<string | null>(null)
  const { register, handleSubmit, setError, setValue, formState } = useForm({
    resolver: checkedBy(fields.create.body.pick({ label: true, name: true, default: true })),
    defaultValues: { label: field?.label ?? '', name: field?.name ?? '', default: field?.default ?? '' },
  })
  const submit = handleSubmit(async ({ label, name, default: value }) => {
    const shared = {
      label: label?.trim() || name,
      type,
      default: value ?? '',
      choices: type === 'choice' ? toChoices(choices) : [],
    }
    setChoiceError(null)
    try {
      if (field)
        await api(fields.update, {
          params: { id: field.id },
          body: { ...shared, ...(name !== field.name && { name }) },
        })
      else await api(fields.create, { body: { ...shared, name } })
      toast.success(field ? 'Field saved' : `Field ${shared.label} created`)
      await Promise.all(['contacts', 'fields'].map((key) => queries.invalidateQueries({ queryKey: [key] })))
      onClose()
    } catch (error) {
      showRefusal(setError, ['label', 'name', 'default'], error)
      const details = (error as { details?: { field: string; message: string }[] }).details
      setChoiceError(details?.find(({ field }) => field.startsWith('choices'))?.message ?? null)
    }
  })
  return (
    <FormDialog
      title={field ? 'Edit field' : 'Create field'}
      action={field ? 'Save changes' : 'Create field'}
      busy={formState.isSubmitting}
      error={choiceError ? undefined : formState.errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Label" hint="What you and your team see" error={fieldError(formState.errors, 'label', 'Label')}>
        <Input
          autoComplete="off"
          placeholder="Date of birth"
          {...register('label', {
            onChange: (event) =>
              !field && !formState.dirtyFields.name && setValue('name', suggestName(event.target.value)),
          })}
        />
      </Field>
      <Field
        label="Name"
        hint="Used in emails and filters. It can be changed as long as nothing uses it."
        error={fieldError(formState.errors, 'name', 'Name')}
      >
        <Input autoComplete="off" spellCheck={false} placeholder="date_of_birth" {...register('name')} />
      </Field>
      {field && (formState.dirtyFields.name || formState.errors.name) && (
        <FieldUses id={field.id}>
          The name cannot be changed while it is used here. The label can be changed at any time.
        </FieldUses>
      )}
      <Field label="Type" hint={typeOptions.find(({ value }) => value === type)?.hint}>
        <Select value={type} onChange={(event) => setType(event.target.value as FieldType)}>
          {typeOptions.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      {type === 'choice' && (
        <Field label="Choices" hint="One on each line" error={choiceError ? `Choices ${choiceError}` : undefined}>
          <Textarea rows={4} value={choices} onChange={(event) => setChoices(event.target.value)} />
        </Field>
      )}
      <Field
        label="Default in emails"
        optional
        hint="Shown to contacts without a value"
        error={fieldError(formState.errors, 'default', 'Default')}
      >
        <Input autoComplete="off" {...register('default')} />
      </Field>
    </FormDialog>
  )
}
