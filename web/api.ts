import { ApiError, apiClient } from '#contracts/client.ts'
import { endSession, storedToken } from './session/session.ts'

/** Adds the bearer token; rejects with 'No auth token' without one; a 401 ends the session, and the shell leads to /login. */
async function authenticated(path: string, init: RequestInit): Promise<Response> {
  const token = storedToken()
  if (!token) throw new Error('No auth token')
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${token}`)
  const response = await fetch(path, { ...init, headers })
  // Only if it is still the same session: a slow response must not end the one begun since.
  if (response.status === 401 && storedToken() === token) endSession()
  return response
}

/** Calls the API as the signed-in user: `await api(contacts.list, { query: { limit: 50 } })`. */
export const api = apiClient(authenticated)

/** Calls what anybody may call: sign-up, login, reading what the installation is. */
export const publicApi = apiClient((path, init) => fetch(path, init))

/** Whether a change was refused because of what the thing is by now. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409

/** Whether a change was refused because somebody else made one since. */
export const isVersionConflict = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'version_conflict'

/** The text of whatever was thrown, for people. */
export function errorMessage(error: unknown): string {
  // fetch throws a TypeError with the browser's own words when there is no connection.
  if (error instanceof TypeError) return 'The server could not be reached. Check your connection and try again.'
  return error instanceof Error ? error.message : String(error)
}
