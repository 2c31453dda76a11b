import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { accounts } from '#contracts/accounts/accounts.ts'
import { errorMessage, publicApi } from '#web/api.ts'
import { keepToken } from '#web/session/session.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { browserZone } from '#web/ui/lib/zoned-time.ts'
import { takeWantedPage } from '#web/wanted-page.ts'
import { AccountCard, linkClass } from './account-card.tsx'
import { ChoosePassword } from './choose-password.tsx'
import { ResendForm } from './resend-form.tsx'
import { secretHeaders, secretMeta } from './secret-address.ts'

export const meta = () => secretMeta('Confirm your email address')
export const headers = secretHeaders

/** Opening the page changes nothing, because scanners open every link; the button confirms. */
export default function VerifyEmailPage() {
  const token = useSearchParams()[0].get('token')
  const navigate = useNavigate()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [choosing, setChoosing] = useState(false)

  async function confirm(given: { password?: string }) {
    const response = await publicApi(accounts.verifyEmail, {
      body: { token: token ?? '', timeZone: browserZone(), ...given },
    })
    // Taken out of the browser first: the tab somebody signed up in goes there too as soon as there is a token.
    const wanted = takeWantedPage()
    keepToken(response.token)
    await navigate(wanted ?? '/dashboard', { replace: true, state: { wanted } })
  }

  async function press() {
    if (!token) return
    setBusy(true)
    setError(null)
    try {
      const { choosePassword } = await publicApi(accounts.checkVerification, { body: { token } })
      if (choosePassword) setChoosing(true)
      else await confirm({})
    } catch (cause) {
      setError(errorMessage(cause))
      setBusy(false)
    }
  }

  const below = (
    <Link to="/login" className={linkClass}>
      Back to Login
    </Link>
  )
  if (!token || error)
    return (
      <AccountCard title="Confirm your email address" below={below}>
        <div className="space-y-4">
          {error ? (
            <FormBanner error={error} />
          ) : (
            <p className="text-base">Open the link in the email we sent you. If you can’t find it, resend it.</p>
          )}
          {token && <Button onClick={press}>Try again</Button>}
          <ResendForm />
        </div>
      </AccountCard>
    )
  if (choosing)
    return (
      <AccountCard
        title="Choose your password"
        description="Your address was used to sign up more than once. Only the password you choose here will work."
        below={below}
      >
        <ChoosePassword confirm={confirm} />
      </AccountCard>
    )
  return (
    <AccountCard
      title="Confirm your email address"
      description="Confirm your email to finish setting up your account."
      below={below}
    >
      <Button kind="primary" className="w-full" autoFocus busy={busy} onClick={press}>
        Confirm email
      </Button>
    </AccountCard>
  )
}
