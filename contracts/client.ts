import type { Endpoint, Input, ResponseBody } from './endpoint.ts'
import { ErrorField, Problem } from './problem.ts'

/** Sends one request: the browser's fetch with its token, or the app's inject in server rendering and tests. */
export type Transfer = (path: string, init: RequestInit) => Promise<Response>

/** A refusal by the API, with the text for people, the machine word and the fields concerned. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: { field?: string; message: string }[]
  constructor(status: number, code: string, message: string, details: { field?: string; message: string }[] = []) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.details = details
  }
}

type Arguments<E> = keyof Input<E> extends never
  ? [input?: { form?: FormData }]
  : [input: Input<E> & { form?: FormData }]

/** The path of an endpoint with its parameters and query filled in. */
export function buildPath(
  e: Endpoint,
  input: { params?: Record<string, string>; query?: Record<string, unknown> } = {},
): string {
  const path = e.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ''))
  const query = Object.entries(input.query ?? {}).filter(([, value]) => value !== undefined && value !== '')
  if (query.length === 0) return path
  return `${path}?${new URLSearchParams(query.map(([key, value]) => [key, String(value)]))}`
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function refusal(response: Response): Promise<ApiError> {
  const text = await response.text()
  const body = parseJsonText(text)
  const problem = Problem.safeParse(body)
  if (problem.success)
    return new ApiError(response.status, problem.data.code, problem.data.message, problem.data.details)
  // Calls of docs/specification.md promise no more than this one field.
  const said = ErrorField.safeParse(body)
  if (said.success) return new ApiError(response.status, 'refused', said.data.error)
  return new ApiError(response.status, 'unknown', text || response.statusText)
}

/**
 * The one way to call the API. Answers are parsed with the endpoint's schema; a refusal throws ApiError.
 * Files, events and redirects answer the Response itself.
 */
export function apiClient(transfer: Transfer) {
  return async function call<E extends Endpoint>(
    e: E,
    ...[given]: Arguments<E>
  ): Promise<E extends { transport: 'file' | 'events' | 'redirect' } ? Response : ResponseBody<E>> {
    const input = (given ?? {}) as {
      params?: Record<string, string>
      query?: Record<string, unknown>
      body?: unknown
      form?: FormData
    }
    const init: RequestInit = { method: e.method }
    if (input.form) init.body = input.form
    else if (input.body !== undefined) {
      init.body = JSON.stringify(input.body)
      init.headers = { 'content-type': 'application/json' }
    }
    const response = await transfer(buildPath(e, input), init)
    if (!response.ok) throw await refusal(response)
    if (e.transport !== undefined && e.transport !== 'json') return response as never
    if (!e.response) return undefined as never
    return e.response.parse(await response.json()) as never
  }
}

export type ApiClient = ReturnType<typeof apiClient>
