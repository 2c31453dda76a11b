import { useEffect } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router'
import { accounts } from '#contracts/accounts.ts'
import { apiClient } from '#contracts/client.ts'
import { Problem } from '#contracts/problem.ts'
import { isLive, keepToken, useToken } from '#web/session.ts'

class LoginRefusal extends Error {}

/** The refusal of a login is plain text: the message as it is, else 'Login failed'. */
const loginClient = apiClient(async (path, init) => {
  const response = await fetch(path, init)
  if (!response.ok) throw new LoginRefusal(refusalText(await response.text()) || 'Login failed')
  return response
})

function refusalText(text: string): string {
  try {
    return Problem.parse(JSON.parse(text)).message
  } catch {
    return text.trim()
  }
}

/** Signs in with e-mail and password; throws an Error whose message is for people. */
export async function logIn(credentials: { email: string; password: string }): Promise<void> {
  let answer: { token: string }
  try {
    answer = await loginClient(accounts.login, { body: credentials })
  } catch (error) {
    throw error instanceof LoginRefusal ? error : new Error('Login failed')
  }
  keepToken(answer.token)
}

/** Where someone wanted to go before /login stood in the way; the shell passes it as state. */
export function useWantedPage(): string {
  const from = (useLocation().state as { from?: Partial<Location> } | null)?.from
  const path = `${from?.pathname ?? ''}${from?.search ?? ''}${from?.hash ?? ''}`
  return /^\/(?![/\\])/.test(path) ? path : '/dashboard'
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
