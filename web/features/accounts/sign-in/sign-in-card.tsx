import { useMutation } from '@tanstack/react-query'
import { accounts, type User } from '#contracts/accounts/accounts.ts'
import { errorMessage, publicApi } from '#web/api.ts'
import { Banner, FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Card } from '#web/ui/layout/card.tsx'
import { PasswordForm } from './password-form.tsx'

/** How the user signs in: with a password, or with Google and the way to a password. */
export function SignInCard({ user }: { user: User }) {
  if (user.hasPassword)
    return (
      <Card title="Password" description="Changing your password ends all other sessions.">
        <PasswordForm />
      </Card>
    )
  return (
    <Card title="Login method" description={`Logged in with Google as ${user.email}.`}>
      <PasswordByMail user={user} />
    </Card>
  )
}

/** A password can be set by a link in a mail only: somebody who found this browser open must not be able to add one. */
function PasswordByMail({ user }: { user: User }) {
  const ask = useMutation({ mutationFn: () => publicApi(accounts.forgotPassword, { body: { email: user.email } }) })
  if (ask.isSuccess)
    return (
      <Banner tone="good" role="status">
        We sent an email to {user.email}. The link in it works once, for one hour.
      </Banner>
    )
  return (
    <div className="space-y-4">
      <FormBanner error={ask.isError ? errorMessage(ask.error) : null} />
      <p className="text-base text-text">
        You don’t have a password. If you set one, you can also log in with your email address. Google keeps working.
      </p>
      <Button busy={ask.isPending} onClick={() => ask.mutate()}>
        Email me a link to set a password
      </Button>
    </div>
  )
}
