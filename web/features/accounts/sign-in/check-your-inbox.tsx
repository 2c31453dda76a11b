import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { accounts } from '#contracts/accounts/accounts.ts'
import { errorMessage, publicApi } from '#web/api.ts'
import { FormBanner } from '#web/ui/feedback/banner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { AccountCard, linkClass } from './account-card.tsx'

/** After sign-up: the same for a new and for a known address, so that nobody can ask who has an account here. */
export function CheckYourInbox({ email }: { email: string }) {
  const [state, setState] = useState<{ busy?: boolean; error?: string; success?: string }>({})
  async function resend() {
    setState({ busy: true })
    try {
      const { message } = await publicApi(accounts.resendVerification, { body: { email } })
      setState({ success: message })
    } catch (error) {
      setState({ error: errorMessage(error) })
    }
  }
  return (
    <AccountCard
      title="Check your inbox"
      below={
        <Link to="/login" className={linkClass}>
          Back to Login
        </Link>
      }
    >
      <div className="space-y-4 text-base">
        <MailCheck aria-hidden="true" className="size-8 text-accent-text" strokeWidth={1.6} />
        <p role="status">
          We emailed a confirmation link to <strong className="font-semibold wrap-anywhere text-ink">{email}</strong>.
          Open it to confirm your email address.
        </p>
        <p className="text-muted">If nothing arrives within a minute, check your spam folder or resend the email.</p>
        <FormBanner error={state.error} success={state.success} />
        <Button className="w-full" busy={state.busy ?? false} onClick={resend}>
          Resend email
        </Button>
      </div>
    </AccountCard>
  )
}
