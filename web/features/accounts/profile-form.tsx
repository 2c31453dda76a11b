import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { accounts, type User } from '#contracts/accounts/accounts.ts'
import { api } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { storeUser } from '#web/session/session.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, Textarea } from '#web/ui/form/input.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'

/** Name, company and postal address; the last two stand at the foot of every email. */
export function ProfileForm({ user }: { user: User }) {
  const queries = useQueryClient()
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver: checkedBy(accounts.update.body),
    defaultValues: { name: user.name, company: user.company, postalAddress: user.postalAddress },
  })
  const submit = handleSubmit(async (body) => {
    try {
      const saved = await api(accounts.update, { body })
      storeUser(saved)
      queries.setQueryData(['user'], saved)
      reset({ name: saved.name, company: saved.company, postalAddress: saved.postalAddress })
      toast.success('Profile saved')
    } catch (error) {
      showRefusal(setError, ['name', 'company', 'postalAddress'], error)
    }
  })
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <FormBanner error={formState.errors.root?.message} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name" error={fieldError(formState.errors, 'name', 'Name')}>
          <Input autoComplete="name" {...register('name')} />
        </Field>
        <Field label="Company" optional error={fieldError(formState.errors, 'company', 'Company')}>
          <Input autoComplete="organization" {...register('company')} />
        </Field>
      </div>
      <Field
        label="Postal address"
        optional
        hint="Most countries require it in commercial email. It is shown in the footer of every email, and campaigns can’t be sent in production without it."
        error={fieldError(formState.errors, 'postalAddress', 'Postal address')}
      >
        <Textarea rows={3} autoComplete="street-address" {...register('postalAddress')} />
      </Field>
      <Button type="submit" kind="primary" busy={formState.isSubmitting} disabled={!formState.isDirty}>
        Save changes
      </Button>
    </form>
  )
}
