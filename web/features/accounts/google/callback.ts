import { accounts, type GoogleRefusal } from '#contracts/accounts/accounts.ts'
import { ApiError } from '#contracts/client.ts'
import { publicApi } from '#web/api.ts'
import { decodeClaims, isLive, type StoredUser } from '#web/session/session.ts'

/** The delays of the callback screen, in milliseconds (docs/specification.md, 4). */
export const START_DELAY = 100
export const LEAVE_AFTER_ERROR = 3_000
const LEAVE_AFTER_SUCCESS = 2_000
const LEAVE_AFTER_FALLBACK = 1_500

/** A server that does not respond by then counts as one that cannot verify. */
const VERIFY_LIMIT = 15_000

/** What the address of the callback screen says. */
export interface CallbackQuery {
  token: string | null
  error: string | null
}

declare global {
  interface Window {
    /** The query of the callback screen, between the moment it left the address bar and the moment it is read. */
    callbackQuery?: string | undefined
  }
}

/** Runs while the page is still being read, before any file of ours is there: the token leaves the address bar at once. */
export const takeQueryScript =
  "if(location.search){window.callbackQuery=location.search;history.replaceState(history.state,'',location.pathname)}"

/** Reads what the script took, or the address itself where the screen was reached without a page load. */
export function readQuery(): CallbackQuery {
  if (typeof window === 'undefined') return { token: null, error: null }
  const query = new URLSearchParams(window.callbackQuery ?? location.search)
  return { token: query.get('token'), error: query.get('error') }
}

/** Once read, it is nowhere to be found. */
export function forgetQuery(): void {
  window.callbackQuery = undefined
  if (location.search) history.replaceState(history.state, '', location.pathname)
}

const REFUSALS: Record<GoogleRefusal, string> = {
  access_denied: 'You denied access to your Google account. Please try again.',
  token_generation_failed: 'Failed to generate authentication token. Please try again.',
  user_creation_failed: 'Failed to create user account. Please try again.',
  google_auth_failed: 'Google sign-in could not be started or took too long. Please try again.',
  google_oauth_failed: 'Google did not confirm the sign-in. Nothing was changed. Please try again.',
  authentication_failed:
    'This Google account can’t log in here. Its email address is not verified, or the account is suspended.',
}

/** The text for an error code of the sign-in; a code we do not know is shown as it is. */
export function refusalText(code: string): string {
  return Object.hasOwn(REFUSALS, code)
    ? REFUSALS[code as GoogleRefusal]
    : `Authentication error: ${code.slice(0, 80)}. Please try again.`
}

/** How a sign-in ended: with a session and the time until the dashboard comes, or with a text. */
export type SignInOutcome = { token: string; user: StoredUser; leaveAfter: number } | { message: string }

/** Has the server verify the token. Where that fails, a token that looks right is believed for now (docs/specification.md, 4). */
export async function finishSignIn({ token, error }: CallbackQuery): Promise<SignInOutcome> {
  if (error) return { message: refusalText(error) }
  if (!token) return { message: 'No authentication token received. Please try again.' }
  try {
    const { user } = await verify(token)
    return { token, user, leaveAfter: LEAVE_AFTER_SUCCESS }
  } catch (cause) {
    const user = fallbackUser(token)
    return user ? { token, user, leaveAfter: LEAVE_AFTER_FALLBACK } : { message: failureText(cause) }
  }
}

async function verify(token: string) {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('too late')), VERIFY_LIMIT))
  return Promise.race([publicApi(accounts.verifyToken, { body: { token } }), late])
}

function failureText(cause: unknown): string {
  if (!(cause instanceof ApiError)) return 'Authentication failed. Please try again.'
  return cause.code === 'unknown' ? 'Token validation failed' : cause.message || 'Token validation failed'
}

/** The user of a token with three parts, an `exp` ahead and an `_id`; nothing else is believed without the server. */
function fallbackUser(token: string): StoredUser | undefined {
  if (token.split('.').length !== 3 || !isLive(token)) return undefined
  const claims = decodeClaims(token) as Record<string, unknown> | null
  if (!claims || !['string', 'number'].includes(typeof claims._id) || claims._id === '') return undefined
  const { name, email } = claims
  return {
    _id: String(claims._id),
    authProvider: 'google',
    ...(typeof name === 'string' && { name }),
    ...(typeof email === 'string' && { email }),
  }
}
