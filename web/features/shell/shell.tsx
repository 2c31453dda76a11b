import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { errorMessage } from '#web/api.ts'
import { queryClient } from '#web/query.ts'
import { logOut } from '#web/session/log-out.ts'
import { useSubscription, useUser } from '#web/session/queries.ts'
import { clearSession, isLive, storeUser, useLiveToken } from '#web/session/session.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'
import { Toaster } from '#web/ui/overlay/toaster.tsx'
import { Frame } from './frame.tsx'
import { SandboxBanner } from './sandbox-banner.tsx'

export const meta = () => [{ title: 'Postlark' }, { name: 'robots', content: 'noindex' }]

/** Everything behind the login. The server renders the frame only, because the token lives in the browser. */
export default function Shell() {
  return (
    <QueryClientProvider client={queryClient}>
      <Guard />
      <Toaster />
    </QueryClientProvider>
  )
}

/** No live token leads to /login with the page asked for; a failed user fetch stays here and says so. */
function Guard() {
  const token = useLiveToken()
  const location = useLocation()
  const navigate = useNavigate()
  const [leaving, setLeaving] = useState(false)
  const live = isLive(token ?? null)
  const user = useUser(live)
  const subscription = useSubscription(live && user.isSuccess)

  // Whatever the reason, a failed user fetch ends the session; its error stays here to be read.
  useEffect(() => {
    if (user.isError) clearSession()
  }, [user.isError])

  useEffect(() => {
    if (user.data) storeUser(user.data)
  }, [user.data])

  async function leave() {
    setLeaving(true)
    await logOut()
    await navigate('/login', { replace: true })
  }

  const failed = user.isError && user.error.message !== 'Unauthorized'
  if (token !== undefined && !live && !failed) {
    return <Navigate to="/login" replace state={leaving ? undefined : { from: location }} />
  }
  return (
    <Frame
      user={user.data}
      plan={subscription.data?.currentPlan ?? user.data?.currentPlan}
      onLogOut={leave}
      banner={<SandboxBanner admin={user.data?.role === 'admin'} />}
    >
      {failed ? (
        <Banner
          tone="harm"
          role="alert"
          action={
            <ButtonLink to="/login" size="sm">
              Log in again
            </ButtonLink>
          }
        >
          Error: {errorMessage(user.error)}
        </Banner>
      ) : user.data && live ? (
        <Outlet />
      ) : (
        <>
          <Spinner className="py-24" />
          <noscript>This page needs JavaScript to load your data.</noscript>
        </>
      )}
    </Frame>
  )
}
