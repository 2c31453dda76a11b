import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { billing } from '#contracts/billing.ts'
import { ApiError } from '#contracts/client.ts'
import type { Answer } from '#contracts/endpoint.ts'
import { plans } from '#contracts/plans.ts'
import { api, messageOf } from '#web/api.ts'
import { isLive, useToken } from '#web/session.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { forgetWantedTool, wantedTool } from './wanted-tool.ts'

export const meta = () => [{ title: 'Payment · Postlark' }, { name: 'robots', content: 'noindex' }]

const LOOK_MS = 1_500
type Outcome = Answer<typeof billing.paymentStatus>

/** What became of a checkout, asked again while it is pending; an answer that fails for a moment is asked for again too. */
function useOutcome(session: string, signedIn: boolean) {
  const [outcome, setOutcome] = useState<Outcome>()
  const [error, setError] = useState<Error>()
  useEffect(() => {
    if (!signedIn || !session) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let left = false
    const look = async () => {
      try {
        const answer = await api(billing.paymentStatus, { query: { session_id: session } })
        if (left) return
        setOutcome(answer)
        setError(undefined)
        if (answer.state === 'pending') timer = setTimeout(look, LOOK_MS)
      } catch (cause) {
        if (left) return
        setError(cause as Error)
        if (!(cause instanceof ApiError) || cause.status >= 500) timer = setTimeout(look, 2 * LOOK_MS)
      }
    }
    void look()
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [session, signedIn])
  return { outcome, error }
}

/** Where the payment page leads back to: paid, pending or failed, each with the next step. */
export default function PaymentStatusPage() {
  const [search] = useSearchParams()
  const session = search.get('session_id') ?? ''
  const token = useToken()
  const location = useLocation()
  const signedIn = isLive(token ?? null)
  const { outcome, error } = useOutcome(session, signedIn)
  return (
    <section className="mx-auto grid min-h-[60vh] max-w-xl content-center px-5 py-16 sm:px-8" aria-live="polite">
      {token !== undefined && !signedIn ? (
        <Message
          title="Log in to see this payment"
          text="What became of a payment is shown to who made it."
          action={
            <ButtonLink kind="primary" to="/login" state={{ from: location }}>
              Log in
            </ButtonLink>
          }
        />
      ) : !session || (error instanceof ApiError && error.status === 404) ? (
        <Message
          title="This payment is not known here"
          text="The address names no payment of yours. Nothing was charged by opening this page."
          action={<PlanLink />}
        />
      ) : outcome ? (
        <OutcomeMessage outcome={outcome} />
      ) : (
        <Message
          title="Looking at your payment"
          text={error ? `${messageOf(error)} It is asked for again by itself.` : 'This takes a moment.'}
        />
      )}
    </section>
  )
}

const PlanLink = () => <ButtonLink to="/plan">See your plan</ButtonLink>

function OutcomeMessage({ outcome }: { outcome: Outcome }) {
  const { title } = plans[outcome.plan]
  if (outcome.state === 'paid') return <Paid title={title} />
  if (outcome.state === 'failed')
    return (
      <Message
        title="The payment did not go through"
        text={`Nothing was charged, and your plan is as it was. Choose ${title} again to try another card.`}
        action={
          <>
            <ButtonLink kind="primary" to={`/plan?choose=${outcome.plan}&interval=${outcome.interval}`}>
              Try again
            </ButtonLink>
            <PlanLink />
          </>
        }
      />
    )
  const { url } = outcome
  if (url)
    return (
      <Message
        title="This payment is not finished"
        text={`Nothing was charged yet. The page to pay ${title} is still open.`}
        action={
          <>
            <Button kind="primary" onClick={() => location.assign(url)}>
              Go on paying
            </Button>
            <PlanLink />
          </>
        }
      />
    )
  return (
    <Message
      title="Your payment is on its way"
      text={`Your bank has not answered yet. ${title} opens by itself as soon as it does; this page waits for it, and you may also leave it.`}
      action={<PlanLink />}
    />
  )
}

function Paid({ title }: { title: string }) {
  const [tool] = useState(wantedTool)
  useEffect(forgetWantedTool, [])
  return (
    <Message
      title={`${title} is open`}
      text="Thank you. The receipt comes by mail, and every invoice is on your plan's page."
      action={
        <>
          <ButtonLink kind="primary" to={tool ?? '/dashboard'}>
            {tool ? 'Go on to the tool you wanted' : 'Go to the dashboard'}
          </ButtonLink>
          <PlanLink />
        </>
      }
    />
  )
}

function Message({ title, text, action }: { title: string; text: string; action?: React.ReactNode }) {
  return (
    <div>
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      <p className="mt-3 text-md text-text">{text}</p>
      {action && <div className="mt-7 flex flex-wrap gap-3">{action}</div>}
    </div>
  )
}
