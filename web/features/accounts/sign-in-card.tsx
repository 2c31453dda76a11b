import { useMutation } from '@tanstack/react-query'
import { accounts, type User } from '#contracts/accounts.ts'
import { messageOf, publicApi } from '#web/api.ts'
import { Banner, FormBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PasswordForm } from './password-form.tsx'

/** How the user signs in: with a password, or with Google and the way to a password. */
export function SignInCard({ user }: { user: User }) {
  if (user.hasPassword)
    return (
      <Card title="Password" description="Changing it ends every other session.">
        <PasswordForm />
      </Card>
    )
  return (
    <Card title="Signing in" description={`Signed in with Google, as ${user.email}.`}>
      <PasswordByMail user={user} />
    </Card>
  )
}

/** A password can be set by a link in a mail only: whoever found this browser open must not be able to add one. */
function PasswordByMail({ user }: { user: User }) {
  const ask = useMutation({ mutationFn: () => publicApi(accounts.forgotPassword, { body: { email: user.email } }) })
  if (ask.isSuccess)
    return (
      <Banner tone="good" role="status">
        A mail to {user.email} is on its way. Its link works once, for one hour.
      </Banner>
    )
  return (
    <div className="space-y-4">
      <FormBanner error={ask.isError ? messageOf(ask.error) : null} />
      <p className="text-base text-text">
        You have no password here and need none. With one you can also log in by e-mail address; Google goes on working.
      </p>
      <Button busy={ask.isPending} onClick={() => ask.mutate()}>
        Mail me a link to set a password
      </Button>
    </div>
  )
}
