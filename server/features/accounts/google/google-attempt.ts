import { z } from 'zod'
import { sealedCookie } from '#server/platform/http/sealed-cookie.ts'

/** Minutes someone has at the issuer's pages. */
const MINUTES = 10

/** What one sign-in has to bring back, for ten minutes. */
export const signInCookie = sealedCookie(
  'google_sign_in',
  'sign-in with Google',
  MINUTES,
  z.object({ state: z.string(), nonce: z.string(), verifier: z.string() }),
)
