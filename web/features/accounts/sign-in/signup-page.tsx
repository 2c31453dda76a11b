import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useLocation } from 'react-router'
import { accounts } from '#contracts/accounts/accounts.ts'
import { system } from '#contracts/system/system.ts'
import { publicApi } from '#web/api.ts'
import { checkedBy, fieldError, showRefusal } from '#web/forms.ts'
import { apiContext } from '#web/page-context.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input, PasswordInput } from '#web/ui/form/input.tsx'
import { GoogleButton } from '../google/google-button.tsx'
import { isGoogleOffered } from '../google/google-offer.ts'
import type { Route } from './+types/signup-page.ts'
import { AccountCard, linkClass } from './account-card.tsx'
import { CheckYourInbox } from './check-your-inbox.tsx'
import { useLeaveWhenSignedIn } from './sign-in.ts'

export const meta = () => [{ title: 'Sign up · Postlark' }]

export const loader = async ({ context }: Route.LoaderArgs) => ({
  google: (await context.get(apiContext)(system.info)).google,
})
export const clientLoader = async () => ({ google: await isGoogleOffered() })

export default function SignupPage({ loaderData }: Route.ComponentProps) {
  useLeaveWhenSignedIn()
  const { state } = useLocation()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const { register, handleSubmit, setError, formState } = useForm({
    resolver: checkedBy(accounts.signup.body),
    defaultValues: { name: '', email: '', password: '' },
  })
  const submit = handleSubmit(async (body) => {
    try {
      await publicApi(accounts.signup, { body })
      setSentTo(body.email)
    } catch (error) {
      showRefusal(setError, ['name', 'email', 'password'], error)
    }
  })
  if (sentTo) return <CheckYourInbox email={sentTo} />
  return (
    <AccountCard
      title="Sign up"
      description="Free to start. No credit card required."
      below={
        <>
          Already have an account?{' '}
          <Link to="/login" state={state} className={linkClass}>
            Log in
          </Link>
        </>
      }
    >
      {loaderData.google && <GoogleButton />}
      <form method="post" noValidate onSubmit={submit} className="space-y-4">
        <FormBanner error={formState.errors.root?.message} />
        <Field label="Name" error={fieldError(formState.errors, 'name', 'Name')}>
          <Input autoComplete="name" autoFocus {...register('name')} />
        </Field>
        <Field label="Email" error={fieldError(formState.errors, 'email', 'Email')}>
          <Input type="email" autoComplete="username" {...register('email')} />
        </Field>
        <Field
          label="Password"
          hint="At least 10 characters. A passphrase works well."
          error={fieldError(formState.errors, 'password', 'Password')}
        >
          <PasswordInput autoComplete="new-password" {...register('password')} />
        </Field>
        <Button type="submit" kind="primary" className="w-full" busy={formState.isSubmitting}>
          Sign up
        </Button>
      </form>
    </AccountCard>
  )
}
