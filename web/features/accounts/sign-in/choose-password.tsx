import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { Password } from '#contracts/accounts/accounts.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { PasswordInput } from '#web/ui/form/input.tsx'

/** Asks for the password of an address that several sign-ups were made with, before it is confirmed. */
export function ChoosePassword({ confirm }: { confirm: (given: { password: string }) => Promise<void> }) {
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: checkedBy(z.object({ password: Password })),
    defaultValues: { password: '' },
  })
  const submit = handleSubmit(async (given) => {
    try {
      await confirm(given)
    } catch (error) {
      showRefusal(setError, ['password'], error)
    }
  })
  return (
    <form method="post" noValidate onSubmit={submit} className="space-y-4">
      <FormBanner error={formState.errors.root?.message} />
      <Field
        label="Password"
        hint="At least 10 characters. You can use the password you signed up with."
        error={fieldError(formState.errors, 'password', 'Password')}
      >
        <PasswordInput autoComplete="new-password" autoFocus {...register('password')} />
      </Field>
      <Button type="submit" kind="primary" className="w-full" busy={formState.isSubmitting}>
        Confirm email
      </Button>
    </form>
  )
}
