import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type WhatsAppNumber, whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { api } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { Renewed, valueFields } from './credentials.ts'
import { ValueField } from './value-field.tsx'

/** Another name, token or secret for a connected number; new values are tried with a real call first. */
export function RenewDialog({ account, onClose }: { account: WhatsAppNumber; onClose: () => void }) {
  const queries = useQueryClient()
  const { register, handleSubmit, setError, formState } = useForm<Renewed>({
    resolver: checkedBy(Renewed),
    defaultValues: { name: account.name, accessToken: '', appSecret: '' },
  })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async ({ name, accessToken, appSecret }) => {
    try {
      await api(whatsappNumbers.update, {
        params: { id: account.id },
        body: { name, ...(accessToken && { accessToken }), ...(appSecret && { appSecret }) },
      })
      await queries.invalidateQueries({ queryKey: ['whatsapp'] })
      toast.success('Number saved')
      onClose()
    } catch (error) {
      showRefusal(setError, ['name', 'accessToken', 'appSecret'], error)
    }
  })
  return (
    <FormDialog
      title={`Edit ${account.displayPhone}`}
      description="A new token or secret is tested with a real call before it replaces the old one."
      action={isSubmitting ? 'Checking with Meta' : 'Save changes'}
      busy={isSubmitting}
      error={errors.root?.message}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" optional hint="Only visible to you." error={fieldError(errors, 'name', 'Name')}>
        <Input autoComplete="off" {...register('name')} />
      </Field>
      {valueFields
        .filter(({ secret }) => secret)
        .map(({ field, label, secret }) => (
          <ValueField
            key={field}
            label={label}
            hint="Leave empty to keep the current value."
            secret={secret}
            optional
            error={fieldError(errors, field as 'accessToken' | 'appSecret', label)}
            check={undefined}
            control={register(field as 'accessToken' | 'appSecret')}
          />
        ))}
    </FormDialog>
  )
}
