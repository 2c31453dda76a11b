import { createContext, use } from 'react'
import { Outlet } from 'react-router'
import type { User } from '#contracts/accounts/accounts.ts'
import { errorMessage } from '#web/api.ts'
import { Banner } from '#web/ui/feedback/banner.tsx'
import { Spinner } from '#web/ui/feedback/spinner.tsx'
import { ButtonLink } from '#web/ui/form/button.tsx'

export interface SignedIn {
  user: User | undefined
  plan: string | undefined
  /** The pages may be shown: the token is live and the user is known. */
  ready: boolean
  /** Why the user could not be loaded. */
  failure: Error | undefined
  onLogOut: () => void
}

const SignedInContext = createContext<SignedIn | null>(null)

export const SignedInProvider = SignedInContext.Provider

/** Who is signed in, for the layouts below the guard. */
export function useSignedIn(): SignedIn {
  const signedIn = use(SignedInContext)
  if (!signedIn) throw new Error('useSignedIn is called outside the shell')
  return signedIn
}

/** The page of the address; until the user is known a spinner, and the reason where they cannot be loaded. */
export function SignedInOutlet() {
  const { ready, failure } = useSignedIn()
  if (failure)
    return (
      <Banner
        tone="harm"
        role="alert"
        action={
          <ButtonLink to="/login" size="sm">
            Log in again
          </ButtonLink>
        }
      >
        Error: {errorMessage(failure)}
      </Banner>
    )
  if (ready) return <Outlet />
  return (
    <>
      <Spinner className="py-24" />
      <noscript>This page needs JavaScript to load your data.</noscript>
    </>
  )
}
