import { accounts } from '#contracts/accounts/accounts.ts'
import { clearSession, storedToken } from '#web/session/session.ts'

/** Milliseconds until a server that does not respond is given up. */
const PATIENCE = 3_000

/** Tells the server, if it can be told, and forgets the session in any case. The caller leads to /login. */
export async function logOut(): Promise<void> {
  const token = storedToken()
  try {
    await fetch(accounts.logout.path, {
      method: accounts.logout.method,
      signal: AbortSignal.timeout(PATIENCE),
      ...(token && { headers: { authorization: `Bearer ${token}` } }),
    })
  } catch {
    // The session ends here even when the server cannot be reached.
  }
  clearSession()
}
