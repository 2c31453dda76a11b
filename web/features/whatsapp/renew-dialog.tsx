import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { type WhatsAppAccount, whatsappAccounts } from '#contracts/whatsapp.ts'
import { api } from '#web/api.ts'
import { checkedBy, errorOf, showRefusal } from '#web/forms.ts'
import { FormBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toaster.tsx'
import { Renewed, valueFields } from './credentials.ts'
import { ValueField } from './value-field.tsx'

/** Another name, token or secret for a connected number; new values are tried with a real call first. */
export function RenewDialog({ account, onClose }: { account: WhatsAppAccount; onClose: () => void }) {
  const id = useId()
  const queries = useQueryClient()
  const { register, handleSubmit, setError, formState } = useForm<Renewed>({
    resolver: checkedBy(Renewed),
    defaultValues: { name: account.name, accessToken: '', appSecret: '' },
  })
  const { errors, isSubmitting } = formState
  const submit = handleSubmit(async ({ name, accessToken, appSecret }) => {
    try {
      await api(whatsappAccounts.update, {
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
      title={`Change ${account.displayPhone}`}
      description="A new token or secret is tried with a real call before it takes the place of the old one."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={id} busy={isSubmitting}>
            {isSubmitting ? 'Asking Meta' : 'Save number'}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={submit} className="space-y-4 pb-2">
        <FormBanner error={errors.root?.message} />
        <Field label="Name" optional hint="Only you see it." error={errorOf(errors, 'name', 'Name')}>
          <Input autoComplete="off" {...register('name')} />
        </Field>
        {valueFields
          .filter(({ secret }) => secret)
          .map(({ field, label, secret }) => (
            <ValueField
              key={field}
              label={label}
              hint="Leave it empty to keep the one there is."
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
