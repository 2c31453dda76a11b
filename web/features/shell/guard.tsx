import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { queryClient } from '#web/query.ts'
import { logOut } from '#web/session/log-out.ts'
import { useSubscription, useUser } from '#web/session/queries.ts'
import { endSession, hasSessionEnded, isLive, storeUser, useLiveToken } from '#web/session/session.ts'
import { Toaster } from '#web/ui/overlay/toaster.tsx'
import { Commands } from './commands/commands.tsx'
import { type SignedIn, SignedInProvider } from './signed-in.tsx'

/** What is behind the login, with the data and the commands it needs. */
export function Shell({ children }: { children: React.ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <Guard>{children}</Guard>
      <Toaster />
    </QueryClientProvider>
  )
}

/** No live token leads to /login with the page asked for; a failed user fetch stays here and says so. */
function Guard({ children }: { children: React.ReactNode }) {
  const token = useLiveToken()
  const location = useLocation()
  const navigate = useNavigate()
  const [leaving, setLeaving] = useState(false)
  const live = isLive(token ?? null)
  const user = useUser(live)
  const subscription = useSubscription(live && user.isSuccess)

  // Whatever the reason, a failed user fetch ends the session; its error stays here to be read.
  useEffect(() => {
    if (user.isError) endSession()
  }, [user.isError])

  useEffect(() => {
    if (user.data) storeUser(user.data)
  }, [user.data])

  const failure = user.isError && user.error.message !== 'Unauthorized' ? user.error : undefined
  const plan = subscription.data?.currentPlan ?? user.data?.currentPlan
  const signedIn = useMemo<SignedIn>(
    () => ({
      user: user.data,
      plan,
      ready: user.data !== undefined && live,
      failure,
      onLogOut: async () => {
        setLeaving(true)
        await logOut()
        await navigate('/login', { replace: true })
      },
    }),
    [user.data, plan, live, failure, navigate],
  )
  if (token !== undefined && !live && !failure) {
    return (
      <Navigate to="/login" replace state={leaving ? undefined : { from: location, hasEnded: hasSessionEnded() }} />
    )
  }
  return (
    <SignedInProvider value={signedIn}>
      <Commands>{children}</Commands>
    </SignedInProvider>
  )
}
