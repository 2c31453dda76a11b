import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { accounts } from '#contracts/accounts/accounts.ts'
import { publicApi } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { AccountCard, linkClass } from './account-card.tsx'

export const meta = () => [{ title: 'Forgot your password · Postlark' }]

export default function PassResetPage() {
  const [success, setSuccess] = useState<string | null>(null)
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: checkedBy(accounts.forgotPassword.body),
    defaultValues: { email: '' },
  })
  const submit = handleSubmit(async (body) => {
    setSuccess(null)
    try {
      setSuccess((await publicApi(accounts.forgotPassword, { body })).message)
    } catch (error) {
      showRefusal(setError, ['email'], error)
    }
  })
  return (
    <AccountCard
      title="Forgot your password?"
      description="Enter your email address, and we’ll send you a link to choose a new password. It works once, for one hour."
      below={
        <Link to="/login" className={linkClass}>
          Back to Login
        </Link>
      }
    >
      <form method="post" noValidate onSubmit={submit} className="space-y-4">
        <FormBanner error={formState.errors.root?.message} success={success} />
        <Field label="Email" error={fieldError(formState.errors, 'email', 'Email')}>
          <Input type="email" autoComplete="username" autoFocus {...register('email')} />
        </Field>
        <Button type="submit" kind="primary" className="w-full" busy={formState.isSubmitting}>
          Send link
        </Button>
      </form>
    </AccountCard>
  )
}
