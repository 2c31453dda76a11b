import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { type WhatsAppNumber, whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { api } from '#web/api.ts'
import { checkedBy, errorOf, showRefusal } from '#web/forms.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'
import { Renewed, valueFields } from './credentials.ts'
import { ValueField } from './value-field.tsx'

/** Another name, token or secret for a connected number; new values are tried with a real call first. */
export function RenewDialog({ account, onClose }: { account: WhatsAppNumber; onClose: () => void }) {
  const id = useId()
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
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Edit ${account.displayPhone}`}
      description="A new token or secret is tested with a real call before it replaces the old one."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={id} busy={isSubmitting}>
            {isSubmitting ? 'Checking with Meta' : 'Save changes'}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={submit} className="space-y-4 pb-2">
        <FormBanner error={errors.root?.message} />
        <Field label="Name" optional hint="Only visible to you." error={errorOf(errors, 'name', 'Name')}>
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
              error={errorOf(errors, field as 'accessToken' | 'appSecret', label)}
              check={undefined}
              control={register(field as 'accessToken' | 'appSecret')}
            />
          ))}
      </form>
    </Dialog>
  )
}
