import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type List, lists } from '#contracts/contacts/lists.ts'
import { api } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { RadioGroup } from '#web/ui/form/radio-group.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'

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
    hint: 'Contacts you add get a confirmation email and are subscribed once they confirm. A large import is asked at a limited pace.',
  },
]

/** Makes a list, or changes its name and its way in. */
export function ListDialog({ list, onClose }: { list: List | null; onClose: () => void }) {
  const queries = useQueryClient()
  const [optin, setOptin] = useState(list?.optin ?? 'single')
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: checkedBy(lists.create.body.pick({ name: true })),
    defaultValues: { name: list?.name ?? '' },
  })
  const submit = handleSubmit(async ({ name }) => {
    try {
      if (list) await api(lists.update, { params: { id: list.id }, body: { name, optin } })
      else await api(lists.create, { body: { name, optin } })
      toast.success(list ? 'List saved' : `List ${name} created`)
      await queries.invalidateQueries({ queryKey: ['lists'] })
      onClose()
    } catch (error) {
      showRefusal(setError, ['name'], error)
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
        hint="Confirmation emails show this name."
        error={fieldError(formState.errors, 'name', 'Name')}
      >
        <Input autoComplete="off" placeholder="Newsletter" {...register('name')} />
      </Field>
      <RadioGroup legend="Subscription" cards options={optinOptions} value={optin} onChange={setOptin} />
    </FormDialog>
  )
}
