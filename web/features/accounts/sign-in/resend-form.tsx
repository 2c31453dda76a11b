import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { accounts } from '#contracts/accounts/accounts.ts'
import { publicApi } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'

/** Asks for a new verification email; the response is the same for every address. */
export function ResendForm() {
  const [success, setSuccess] = useState<string | null>(null)
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: checkedBy(accounts.resendVerification.body),
    defaultValues: { email: '' },
  })
  const submit = handleSubmit(async (body) => {
    setSuccess(null)
    try {
      setSuccess((await publicApi(accounts.resendVerification, { body })).message)
    } catch (error) {
      showRefusal(setError, ['email'], error)
    }
  })
  return (
    <form method="post" noValidate onSubmit={submit} className="space-y-4">
      <FormBanner error={formState.errors.root?.message} success={success} />
      <Field label="Email" error={fieldError(formState.errors, 'email', 'Email')}>
        <Input type="email" autoComplete="email" {...register('email')} />
      </Field>
      <Button type="submit" className="w-full" busy={formState.isSubmitting}>
        Resend email
      </Button>
    </form>
  )
}
