import { useForm } from 'react-hook-form'
import { Link, useLocation } from 'react-router'
import { z } from 'zod'
import { system } from '#contracts/system/system.ts'
import { checkedBy, fieldError } from '#web/forms.ts'
import { apiContext } from '#web/page-context.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, PasswordInput } from '#web/ui/form/input.tsx'
import { GoogleButton } from '../google/google-button.tsx'
import { isGoogleOffered } from '../google/google-offer.ts'
import type { Route } from './+types/login-page.ts'
import { AccountCard, linkClass } from './account-card.tsx'
import { LoginRefusal, logIn, useLeaveWhenSignedIn } from './sign-in.ts'

export const meta = () => [{ title: 'Log in · Postlark' }]

const Credentials = z.object({
  email: z.string().trim().min(1, 'is required'),
  password: z.string().min(1, 'is required'),
})

export const loader = async ({ context }: Route.LoaderArgs) => ({
  google: (await context.get(apiContext)(system.info)).google,
})
export const clientLoader = async () => ({ google: await isGoogleOffered() })

export default function LoginPage({ loaderData }: Route.ComponentProps) {
  useLeaveWhenSignedIn()
  const { state } = useLocation()
  const hasEnded = (state as { hasEnded?: boolean } | null)?.hasEnded === true
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: checkedBy(Credentials),
    defaultValues: { email: '', password: '' },
  })
  const submit = handleSubmit(async (credentials) => {
    try {
      await logIn(credentials)
    } catch (error) {
      const unconfirmed = error instanceof LoginRefusal && error.unconfirmed
      const message = error instanceof Error ? error.message : 'Login failed'
      setError('root', { message, ...(unconfirmed && { type: 'unconfirmed' }) })
    }
  })
  return (
    <AccountCard
      title="Log in"
      description="Welcome back."
      below={
        <>
          New to Postlark?{' '}
          <Link to="/signup" state={state} className={linkClass}>
            Sign up
          </Link>
        </>
      }
    >
      {loaderData.google && <GoogleButton />}
      {/* POST, so that nothing typed before the script is here ends up in an address. */}
      <form method="post" noValidate onSubmit={submit} className="space-y-4">
        {hasEnded && !formState.errors.root && <Banner tone="info">Your session has ended. Log in to continue.</Banner>}
        <FormBanner error={formState.errors.root?.message} />
        {formState.errors.root?.type === 'unconfirmed' && (
          <p className="text-base text-muted">
            No confirmation email?{' '}
            <Link to="/verify-email" className={linkClass}>
              Resend email
            </Link>
          </p>
        )}
        <Field label="Email" error={fieldError(formState.errors, 'email', 'Email')}>
          <Input type="email" autoComplete="username" autoFocus {...register('email')} />
        </Field>
        <Field
          label="Password"
          error={fieldError(formState.errors, 'password', 'Password')}
          aside={
            <Link to="/pass-reset" className={linkClass}>
              Forgot password?
            </Link>
          }
        >
          <PasswordInput autoComplete="current-password" {...register('password')} />
        </Field>
        <Button type="submit" kind="primary" className="w-full" busy={formState.isSubmitting}>
          Log in
        </Button>
      </form>
    </AccountCard>
  )
}
