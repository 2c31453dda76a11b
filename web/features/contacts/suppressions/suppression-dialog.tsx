import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { api } from '#web/api.ts'
import { fieldError, showRefusal } from '#web/forms.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'

/** What was typed: an address, a number, or a whole domain. */
function toWhom(text: string): { address: string } | { phone: string } | { domain: string } {
  if (/^[^@]+@/.test(text)) return { address: text }
  return /\p{L}/u.test(text) ? { domain: text } : { phone: text }
}

/** Leaves an address or a number out of every campaign from now on. */
export function SuppressionDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { address: '', note: '' } })
  const submit = handleSubmit(async ({ address, note }) => {
    try {
      await api(suppressions.create, { body: { ...toWhom(address.trim()), note } })
      toast.success(`${address} added to the suppression list`)
      await Promise.all(['suppressions', 'contacts'].map((name) => queries.invalidateQueries({ queryKey: [name] })))
      onClose()
    } catch (error) {
      const named = (error as { details?: { field: string; message: string }[] }).details?.find(({ field }) =>
        ['domain', 'phone'].includes(field),
      )
      if (named) setError('address', { message: named.message })
      else showRefusal(setError, ['address', 'note'], error)
    }
  })
  return (
    <FormDialog
      title="Add suppression"
      description="Takes effect immediately, including for campaigns that are sending."
      action="Add suppression"
      busy={formState.isSubmitting}
      error={formState.errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label="Email address, phone number or domain"
        hint="A domain such as example.com stands for every address of it."
        error={fieldError(formState.errors, 'address', 'Address')}
      >
        <Input autoComplete="off" spellCheck={false} {...register('address')} />
      </Field>
      <Field
        label="Note"
        optional
        hint="Reason, visible to your workspace."
        error={fieldError(formState.errors, 'note', 'Note')}
      >
        <Input autoComplete="off" {...register('note')} />
      </Field>
    </FormDialog>
  )
}
