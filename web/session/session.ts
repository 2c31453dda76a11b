import { useSyncExternalStore } from 'react'
import type { User } from '#contracts/accounts/accounts.ts'
import { setOwnZone } from '#web/ui/lib/zoned-time.ts'

/** Where the browser keeps who is signed in. The names are fixed (docs/specification.md, 3). */
const TOKEN = 'token'
const OLD_TOKEN = 'authToken'
const USER = 'user'

const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** The token as it is stored, expired or not. A token under the older key moves over once. */
export function storedToken(): string | null {
  const old = localStorage.getItem(OLD_TOKEN)
  if (old !== null) {
    if (localStorage.getItem(TOKEN) === null) localStorage.setItem(TOKEN, old)
    localStorage.removeItem(OLD_TOKEN)
  }
  return localStorage.getItem(TOKEN)
}

/** The claims of a JWT without a check of its signature, or null. */
export function decodeClaims(token: string): { _id?: unknown; exp?: unknown } | null {
  try {
    const part = token.split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(part.replace(/-/g, '+').replace(/_/g, '/')), (character) =>
      character.charCodeAt(0),
    )
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims === 'object' ? claims : null
  } catch {
    return null
  }
}

/** A token is valid only if its `exp`, in seconds, is later than now. The server checks the rest. */
export function isLive(token: string | null, now = Date.now()): token is string {
  const exp = token && decodeClaims(token)?.exp
  return typeof exp === 'number' && exp * 1_000 > now
}

/** Signs in with a token of the API. */
export function keepToken(token: string): void {
  wasRefused = false
  localStorage.setItem(TOKEN, token)
  localStorage.removeItem(OLD_TOKEN)
  tell()
}

/** The user as they are stored: all that the API returns, or the little that a token says of them. */
export type StoredUser = Pick<User, '_id' | 'authProvider'> & Partial<User>

/** Stores the user beside the token, as JSON. */
export function storeUser(user: StoredUser): void {
  localStorage.setItem(USER, JSON.stringify(user))
}

/** Forgets token and user. The token goes last: other tabs listen to it, and find nothing left then. */
export function clearSession(): void {
  for (const key of [USER, OLD_TOKEN, TOKEN]) localStorage.removeItem(key)
  setOwnZone(null)
  tell()
}

let wasRefused = false

/** Forgets a session that the server refused, so that the login page can say so. */
export function endSession(): void {
  wasRefused = true
  clearSession()
}

/** Whether the session ended by itself: refused by the server, or expired. Logging out is no such end. */
export const hasSessionEnded = (): boolean => wasRefused || storedToken() !== null

function subscribe(listener: () => void): () => void {
  // Another tab that signs out or in is heard too.
  const onStorage = (event: StorageEvent) => {
    if (event.key !== TOKEN && event.key !== null) return
    // What this tab was refused with is over.
    if (event.newValue !== null) wasRefused = false
    listener()
  }
  listeners.add(listener)
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}

/** Tells `listener` whenever someone signs in or out, in this tab or another. Returns the way to stop. */
export const onSessionChange = subscribe

/** A timer waits 24 days at most; a token lives for seven. */
const MAX_TIMER = 2 ** 31 - 1

/** As `subscribe`, and tells also when the stored token expires while nobody does anything. */
function subscribeToLife(listener: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const watch = () => {
    clearTimeout(timer)
    const token = storedToken()
    if (!isLive(token)) return
    const left = Number(decodeClaims(token)?.exp) * 1_000 - Date.now()
    timer = setTimeout(changed, Math.min(left + 1, MAX_TIMER))
  }
  const changed = () => {
    watch()
    listener()
  }
  const stop = subscribe(changed)
  watch()
  return () => {
    stop()
    clearTimeout(timer)
  }
}

/** The stored token while it is live; null without one or once it has expired; undefined as in `useToken`. */
export function useLiveToken(): string | null | undefined {
  return useSyncExternalStore(
    subscribeToLife,
    () => {
      const token = storedToken()
      return isLive(token) ? token : null
    },
    () => undefined,
  )
}

/** The stored token; null when there is none; undefined on the server and while hydrating, when nobody can know. */
export function useToken(): string | null | undefined {
  return useSyncExternalStore(subscribe, storedToken, () => undefined)
}
