import { CircleAlert, CircleCheck } from 'lucide-react'
import { use, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { readyPages } from '#web/features/site/index.ts'
import { NonceContext } from '#web/page-context.ts'
import { clearSession, keepToken, storeUser } from '#web/session/session.ts'
import { Ring } from '#web/ui/feedback/spinner.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { secretHeaders, secretMeta } from '../sign-in/secret-address.ts'
import {
  finishSignIn,
  forgetQuery,
  LEAVE_AFTER_ERROR,
  readQuery,
  type SignInOutcome,
  START_DELAY,
  takeQueryScript,
} from './callback.ts'

export const meta = () => secretMeta('Logging you in')
export const headers = secretHeaders

/** Where signing in with Google ends: /oauth2/redirect and /oauth/callback. Processing, then success or error. */
export default function CallbackPage() {
  const nonce = use(NonceContext)
  const outcome = useOutcome()
  return (
    <>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constant text */}
      <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: takeQueryScript }} />
      <section className="rounded-dialog border bg-surface px-6 py-9 text-center sm:px-8">
        {!outcome ? <Processing /> : 'message' in outcome ? <Failed message={outcome.message} /> : <SignedIn />}
      </section>
    </>
  )
}

/** Runs the sign-in once, keeps or clears the session, and leads on after the delay that docs/specification.md gives each end. */
function useOutcome(): SignInOutcome | undefined {
  const [query] = useState(readQuery)
  const [outcome, setOutcome] = useState<SignInOutcome>()
  const navigate = useNavigate()

  useEffect(() => {
    forgetQuery()
    let left = false
    const timer = setTimeout(async () => {
      const end = await finishSignIn(query)
      if (left) return
      if ('message' in end) clearSession()
      else {
        storeUser(end.user)
        keepToken(end.token)
      }
      setOutcome(end)
      prepareNext(end)
    }, START_DELAY)
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [query])

  useEffect(() => {
    if (!outcome) return
    const failed = 'message' in outcome
    const timer = setTimeout(
      () => navigate(failed ? '/login' : '/dashboard', { replace: true }),
      failed ? LEAVE_AFTER_ERROR : outcome.leaveAfter,
    )
    return () => clearTimeout(timer)
  }, [outcome, navigate])

  return outcome
}

/** Fetches the page that comes next while the message shows, so that it is there when the time is over. */
function prepareNext(outcome: SignInOutcome): void {
  if ('message' in outcome) return readyPages(['login-page'])
  readyPages(['dashboard-page'])
  // What cannot be fetched now is asked for by the dashboard itself, which says what failed.
  void import('#web/features/dashboard/index.ts').then(
    ({ prefetchDashboard }) => prefetchDashboard(outcome.token),
    () => undefined,
  )
}

const title = 'mt-4 text-lg font-semibold tracking-tight'

function Processing() {
  return (
    <div role="status">
      <Ring className="mx-auto size-8 text-accent-text" />
      <h1 className={title}>Processing your sign-in</h1>
      <p className="mt-1 text-base text-muted">This takes a moment.</p>
      <noscript>
        <p className="mt-4 text-base">This step needs JavaScript. Enable it for this page, then log in again.</p>
      </noscript>
    </div>
  )
}

function SignedIn() {
  return (
    <div role="status">
      <CircleCheck aria-hidden="true" className="mx-auto size-8 text-good-text" strokeWidth={1.6} />
      <h1 className={title}>You are logged in</h1>
      <p className="mt-1 text-base text-muted">Success. Taking you to your dashboard.</p>
    </div>
  )
}

function Failed({ message }: { message: string }) {
  const navigate = useNavigate()
  return (
    <>
      <div role="alert">
        <CircleAlert aria-hidden="true" className="mx-auto size-8 text-harm-text" strokeWidth={1.6} />
        <h1 className={title}>Sign-in failed</h1>
        <p className="mt-1 text-base break-words text-text">{message}</p>
      </div>
      <p className="mt-4 text-base text-muted">Taking you to the login page.</p>
      <Button kind="primary" className="mt-5 w-full" onClick={() => navigate('/login', { replace: true })}>
        Back to Login
      </Button>
    </>
  )
}
