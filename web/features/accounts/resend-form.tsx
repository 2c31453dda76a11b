import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { accounts } from '#contracts/accounts.ts'
import { publicApi } from '#web/api.ts'
import { checkedBy, errorOf, showRefusal } from '#web/forms.ts'
import { FormBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'

/** Asks for a new verification letter; the answer is the same for every address. */
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
      <Field label="E-mail" error={errorOf(formState.errors, 'email', 'E-mail')}>
        <Input type="email" autoComplete="email" {...register('email')} />
      </Field>
      <Button type="submit" className="w-full" busy={formState.isSubmitting}>
        Send a new letter
      </Button>
    </form>
  )
}
