import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { z } from 'zod'
import { accounts, Password } from '#contracts/accounts/accounts.ts'
import { ApiError } from '#contracts/client.ts'
import { publicApi } from '#web/api.ts'
import { checkedBy, fieldError } from '#web/forms.ts'
import { clearSession } from '#web/session/session.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { PasswordInput } from '#web/ui/form/input.tsx'
import { AccountCard, linkClass } from './account-card.tsx'
import { secretHeaders, secretMeta } from './secret-address.ts'

export const meta = () => secretMeta('Reset your password')
export const headers = secretHeaders

const REDIRECT_AFTER = 3_000

/** That the two differ is said first: it is true however long they are. */
const NewPassword = z
  .object({ newPassword: z.string().min(1, 'is required'), confirmPassword: z.string().min(1, 'is required') })
  .superRefine(({ newPassword, confirmPassword }, context) => {
    if (newPassword !== confirmPassword) {
      context.addIssue({ code: 'custom', path: ['confirmPassword'], message: 'Passwords do not match.' })
      return
    }
    for (const issue of Password.safeParse(newPassword).error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: ['newPassword'], message: issue.message })
    }
  })

/** The server's words for a refusal, else the fallbacks of docs/specification.md, 8. */
function describeRefusal(error: unknown): string {
  if (!(error instanceof ApiError)) return 'An unexpected error occurred.'
  return error.code === 'unknown' ? 'Failed to reset password.' : error.message || 'Failed to reset password.'
}

export default function ResetPasswordPage() {
  const token = useSearchParams()[0].get('token') ?? ''
  const navigate = useNavigate()
  const [success, setSuccess] = useState<string | null>(null)
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: checkedBy(NewPassword),
    defaultValues: { newPassword: '', confirmPassword: '' },
  })
  useEffect(() => {
    if (!success) return
    const timer = setTimeout(() => navigate('/login'), REDIRECT_AFTER)
    return () => clearTimeout(timer)
  }, [success, navigate])
  const submit = handleSubmit(async ({ newPassword }) => {
    if (!token) return setError('root', { message: 'Failed to reset password.' })
    try {
      const { message } = await publicApi(accounts.resetPassword, { body: { token, newPassword } })
      // The session of this browser has ended with the others.
      clearSession()
      setSuccess(message)
    } catch (error) {
      const weak = error instanceof ApiError && error.details.find(({ field }) => field === 'newPassword')
      if (weak) setError('newPassword', { message: weak.message })
      else setError('root', { message: describeRefusal(error) })
    }
  })
  return (
    <AccountCard
      title="Choose a new password"
      description="You will be logged out on all other devices."
      below={
        <Link to="/login" className={linkClass}>
          Back to Login
        </Link>
      }
    >
      <form method="post" noValidate onSubmit={submit} className="space-y-4">
        {!token && (
          <Banner tone="attention">
            This link has no reset code. Open the link in our email again, or{' '}
            <Link to="/pass-reset" className={linkClass}>
              request a new one
            </Link>
            .
          </Banner>
        )}
        <FormBanner
          error={formState.errors.root?.message}
          success={success && `${success} Taking you to the login page.`}
        />
        <Field
          label="New Password"
          hint="At least 10 characters."
          error={fieldError(formState.errors, 'newPassword', 'New Password')}
        >
          <PasswordInput autoComplete="new-password" autoFocus {...register('newPassword')} />
        </Field>
        <Field label="Confirm Password" error={fieldError(formState.errors, 'confirmPassword', 'Confirm Password')}>
          <PasswordInput autoComplete="new-password" {...register('confirmPassword')} />
        </Field>
        <Button
          type="submit"
          kind="primary"
          className="w-full"
          busy={formState.isSubmitting}
          disabled={success !== null}
        >
          Reset Password
        </Button>
      </form>
    </AccountCard>
  )
}
