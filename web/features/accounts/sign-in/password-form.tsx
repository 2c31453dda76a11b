import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { accounts, Password } from '#contracts/accounts/accounts.ts'
import { api } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { keepToken } from '#web/session/session.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { PasswordInput } from '#web/ui/form/input.tsx'
import { toast } from '#web/ui/overlay/toaster.tsx'

const Change = z.object({ currentPassword: z.string().min(1, 'is required'), newPassword: Password })

/** Changes the password; this browser stays signed in with the token of the response. */
export function PasswordForm() {
  const { register, handleSubmit, setError, reset, formState } = useForm({
    resolver: checkedBy(Change),
    defaultValues: { currentPassword: '', newPassword: '' },
  })
  const submit = handleSubmit(async (body) => {
    try {
      keepToken((await api(accounts.changePassword, { body })).token)
      reset()
      toast.success('Password changed. All other sessions have ended.')
    } catch (error) {
      showRefusal(setError, ['currentPassword', 'newPassword'], error)
    }
  })
  return (
    <form noValidate onSubmit={submit} className="space-y-4">
      <FormBanner error={formState.errors.root?.message} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Current password" error={fieldError(formState.errors, 'currentPassword', 'Current password')}>
          <PasswordInput autoComplete="current-password" {...register('currentPassword')} />
        </Field>
        <Field
          label="New password"
          hint="At least 10 characters."
          error={fieldError(formState.errors, 'newPassword', 'New password')}
        >
          <PasswordInput autoComplete="new-password" {...register('newPassword')} />
        </Field>
      </div>
      <Button type="submit" busy={formState.isSubmitting}>
        Change password
      </Button>
    </form>
  )
}
