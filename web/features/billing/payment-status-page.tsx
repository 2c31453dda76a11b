import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { billing } from '#contracts/billing/billing.ts'
import { plans } from '#contracts/billing/plans.ts'
import { ApiError } from '#contracts/client.ts'
import type { ResponseBody } from '#contracts/endpoint.ts'
import { api, errorMessage } from '#web/api.ts'
import { queryClient, reload } from '#web/query.ts'
import { isLive, useToken } from '#web/session/session.ts'
import { Button, ButtonLink } from '#web/ui/form/button.tsx'
import { findPaidTool } from './locked-tool.tsx'
import { forgetWantedTool, wantedTool } from './wanted-tool.ts'

export const meta = () => [{ title: 'Payment · Postlark' }, { name: 'robots', content: 'noindex' }]

const POLL_INTERVAL_MS = 1_500
type PaymentOutcome = ResponseBody<typeof billing.paymentStatus>

/**
 * What became of a checkout, asked again while it is pending; a request that fails for a moment is sent again too. Once it
 * is paid, the plan is read anew: the shell reads it while the page loads, which may be before the payment counts.
 */
function useOutcome(session: string, signedIn: boolean) {
  const [outcome, setOutcome] = useState<PaymentOutcome>()
  const [error, setError] = useState<Error>()
  useEffect(() => {
    if (!signedIn || !session) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let left = false
    const look = async () => {
      try {
        const response = await api(billing.paymentStatus, { query: { session_id: session } })
        if (response.state === 'paid')
          await Promise.all([reload(queryClient, ['subscription']), reload(queryClient, ['user'])])
        if (left) return
        setOutcome(response)
        setError(undefined)
        if (response.state === 'pending') timer = setTimeout(look, POLL_INTERVAL_MS)
      } catch (cause) {
        if (left) return
        setError(cause as Error)
        if (!(cause instanceof ApiError) || cause.status >= 500) timer = setTimeout(look, 2 * POLL_INTERVAL_MS)
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
    <section className="mx-auto grid min-h-[60vh] max-w-xl content-center px-5 py-12 sm:px-8" aria-live="polite">
      {token !== undefined && !signedIn ? (
        <Message
          title="Log in to see this payment"
          text="Log in with the account that made this payment to see its status."
          action={
            <ButtonLink kind="primary" to="/login" state={{ from: location }}>
              Log in
            </ButtonLink>
          }
        />
      ) : !session || (error instanceof ApiError && error.status === 404) ? (
        <Message
          title="Payment not found"
          text="This link does not match any of your payments. Nothing was charged."
          action={<PlanLink />}
        />
      ) : outcome ? (
        <OutcomeMessage outcome={outcome} />
      ) : (
        <Message
          title="Checking your payment"
          text={error ? `${errorMessage(error)} We check again automatically.` : 'This takes a moment.'}
        />
      )}
    </section>
  )
}

const PlanLink = () => <ButtonLink to="/plan">View plan</ButtonLink>

function OutcomeMessage({ outcome }: { outcome: PaymentOutcome }) {
  const { title } = plans[outcome.plan]
  if (outcome.state === 'paid') return <Paid title={title} />
  if (outcome.state === 'failed')
    return (
      <Message
        title="Payment failed"
        text={`Nothing was charged, and your plan was not changed. Choose ${title} again to use another card.`}
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
        title="Payment not completed"
        text={`Nothing was charged yet. You can still complete your payment for ${title}.`}
        action={
          <>
            <Button kind="primary" onClick={() => location.assign(url)}>
              Continue payment
            </Button>
            <PlanLink />
          </>
        }
      />
    )
  return (
    <Message
      title="Payment processing"
      text={`Your bank has not responded yet. ${title} starts automatically as soon as it does. This page updates automatically, and you can leave it.`}
      action={<PlanLink />}
    />
  )
}

function Paid({ title }: { title: string }) {
  const [path] = useState(wantedTool)
  useEffect(forgetWantedTool, [])
  const tool = findPaidTool(path ?? undefined)
  return (
    <Message
      title={`You’re on ${title}`}
      text={
        tool
          ? `${tool.label} is ready to use. We’ll email your receipt, and all invoices are on your plan page.`
          : 'We’ll email your receipt, and all invoices are on your plan page.'
      }
      action={
        <>
          <ButtonLink kind="primary" to={path ?? '/dashboard'}>
            {tool ? `Open ${tool.label}` : path ? 'Continue' : 'Go to dashboard'}
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
