import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { type List, lists } from '#contracts/contacts/lists.ts'
import { api } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, Textarea } from '#web/ui/form/input.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { useTemplates } from '#web/use-templates.ts'
import { useLists } from '../queries.ts'

/** The two ways onto a list, each in one sentence. */
export const optinOptions = [
  {
    value: 'single' as const,
    label: 'Single opt-in',
    hint: 'Contacts are subscribed right away. You confirm you have their permission.',
  },
  {
    value: 'double' as const,
    label: 'Double opt-in',
    hint: 'Contacts get a confirmation email from your default sender and are subscribed once they confirm.',
  },
]

const toKey = (name: string) => name.trim().toLowerCase()

/** Whether another list has a name that looks the same. Names need not be unique: the user is told. */
export const isNameTaken = (others: Pick<List, 'name'>[] | undefined, name: string): boolean =>
  others?.some((other) => toKey(other.name) === toKey(name)) ?? false

/** The email that asks members to confirm: the default one, or a template of the workspace. */
function ConfirmationEmail({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const choices = useTemplates()
  return (
    <Field
      label="Confirmation email"
      hint="The default email has your company name and brand. To write your own, start with the template “Confirm subscription”."
    >
      <Select value={value ?? ''} onChange={(event) => onChange(event.target.value || null)}>
        <option value="">Default email</option>
        {choices.data?.items.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  )
}

interface ListDialogProps {
  list: List | null
  /** Hears of a list that was made. */
  onCreated?: (list: List) => void
  onClose: () => void
}

/** Makes a list, or changes its name and its way in. */
export function ListDialog({ list, onCreated, onClose }: ListDialogProps) {
  const queries = useQueryClient()
  const [optin, setOptin] = useState(list?.optin ?? 'single')
  const [templateId, setTemplateId] = useState(list?.confirmationTemplateId ?? null)
  const [isPublic, setIsPublic] = useState(list?.isPublic ?? false)
  const { register, control, handleSubmit, setError, formState } = useForm({
    resolver: checkedBy(lists.create.body.pick({ name: true, description: true })),
    defaultValues: { name: list?.name ?? '', description: list?.description ?? '' },
  })
  const others = useLists().data?.items.filter(({ id }) => id !== list?.id)
  const isTaken = isNameTaken(others, useWatch({ control, name: 'name' }))
  const submit = handleSubmit(async ({ name, description }) => {
    try {
      const body = { name, optin, confirmationTemplateId: templateId, description, isPublic }
      const saved = list
        ? await api(lists.update, { params: { id: list.id }, body })
        : await api(lists.create, { body })
      toast.success(list ? 'List saved' : `List ${name} created`)
      await queries.invalidateQueries({ queryKey: ['lists'] })
      if (!list) onCreated?.(saved)
      onClose()
    } catch (error) {
      showRefusal(setError, ['name', 'description'], error)
    }
  })
  return (
    <FormDialog
      title={list ? 'Edit list' : 'Create list'}
      action={list ? 'Save changes' : 'Create list'}
      busy={formState.isSubmitting}
      error={formState.errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint={
          isTaken && !formState.isSubmitting
            ? 'You already have a list with this name. Another name tells them apart.'
            : 'Confirmation emails show this name.'
        }
        error={fieldError(formState.errors, 'name', 'Name')}
      >
        <Input autoComplete="off" placeholder="Newsletter" {...register('name')} />
      </Field>
      <Field
        label="Description"
        optional
        hint="Shown below the name on the preference page."
        error={fieldError(formState.errors, 'description', 'Description')}
      >
        <Textarea rows={2} {...register('description')} />
      </Field>
      <RadioGroup legend="Subscription" cards options={optinOptions} value={optin} onChange={setOptin} />
      {optin === 'double' && <ConfirmationEmail value={templateId} onChange={setTemplateId} />}
      <Checkbox
        label="Offer on the preference page"
        hint="Other contacts can join the list there. Its members always see it."
        checked={isPublic}
        onChange={(event) => setIsPublic(event.target.checked)}
      />
    </FormDialog>
  )
}
