import { useEffect } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router'
import { accounts } from '#contracts/accounts/accounts.ts'
import { apiClient } from '#contracts/client.ts'
import { Problem } from '#contracts/problem.ts'
import { isLive, keepToken, useToken } from '#web/session/session.ts'
import { wantedPage } from '#web/wanted-page.ts'

/** Why someone may not log in, in the server's words; `unconfirmed`: the address waits for its confirmation. */
export class LoginRefusal extends Error {
  readonly unconfirmed: boolean
  constructor(message: string, unconfirmed: boolean) {
    super(message)
    this.unconfirmed = unconfirmed
  }
}

/** The refusal of a login is plain text: the message as it is, else 'Login failed'. */
const loginClient = apiClient(async (path, init) => {
  const response = await fetch(path, init)
  if (response.ok) return response
  // A page is what something between us and the server says.
  const isPage = response.headers.get('content-type')?.includes('html')
  const text = isPage ? '' : refusalText(await response.text())
  throw new LoginRefusal(text || 'Login failed', text.startsWith('Confirm your email address'))
})

function refusalText(text: string): string {
  try {
    return Problem.parse(JSON.parse(text)).message
  } catch {
    return text.trim()
  }
}

/** Signs in with email and password; throws an Error whose message is for people. */
export async function logIn(credentials: { email: string; password: string }): Promise<void> {
  let response: { token: string }
  try {
    response = await loginClient(accounts.login, { body: credentials })
  } catch (error) {
    throw error instanceof LoginRefusal ? error : new Error('Login failed')
  }
  keepToken(response.token)
}

/** Where someone wanted to go before /login stood in the way; the shell passes it as state. */
export function useWantedPage(): string {
  const from = (useLocation().state as { from?: Partial<Location> } | null)?.from
  const path = `${from?.pathname ?? ''}${from?.search ?? ''}${from?.hash ?? ''}`
  if (/^\/(?![/\\])/.test(path)) return path
  return (typeof document !== 'undefined' && wantedPage()) || '/dashboard'
}

/** Leads on as soon as there is a live token: after signing in here, in another tab, or from the start. */
export function useLeaveWhenSignedIn(): void {
  const token = useToken()
  const wanted = useWantedPage()
  const navigate = useNavigate()
  useEffect(() => {
    if (isLive(token ?? null)) void navigate(wanted, { replace: true })
  }, [token, wanted, navigate])
}
