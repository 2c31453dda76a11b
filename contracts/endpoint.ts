import type { z } from 'zod'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who may call: anybody, anybody signed in, a signed-in user on a paid plan, an admin. */
export type Access = 'public' | 'user' | 'paid' | 'admin'

/** How the response travels: JSON, a file download, server-sent events, or a redirect that a browser follows. */
export type Transport = 'json' | 'file' | 'events' | 'redirect'

/** One HTTP endpoint, described once: the server mounts it, the pages and tests call it, the docs list it. */
export interface Endpoint {
  method: Method
  path: string
  access: Access
  summary: string
  /** Success status, 200 unless told. */
  status?: 200 | 201 | 202 | 302
  transport?: Transport
  params?: z.ZodType
  query?: z.ZodType
  /** These values of body fields belong to the paid plans: `{ kind: ['gmail'] }`. Free callers are refused before the body is checked. */
  paidIf?: Record<string, readonly string[]>
  /** JSON body. Unknown keys are refused (use z.strictObject). */
  body?: z.ZodType
  /** The endpoint takes multipart/form-data with these fields; files are `formFile` or `storedFile`. Other fields are refused. */
  form?: z.ZodType
  response?: z.ZodType
  /** Statuses of its own refusals. Those that follow from access, inputs and transport are not listed. */
  refusals?: readonly number[]
  /** Those in `refusals` are plain text instead of a Problem. */
  refusalsAre?: 'text'
  /** Takes a header Idempotency-Key: the same request with the same key has its effect once, and the same response. */
  isIdempotent?: true
  /** A form gets a redirect (303) instead of the response. */
  alsoRedirects?: true
  /** Content types of the file it returns. */
  types?: readonly string[]
  /** Rules for its inputs that a schema cannot say, in words. */
  rules?: string
  /** Where the id of what it makes stands in the response (JSON pointer), and under which paths it is found; else `id` under its own path. */
  gives?: {
    under: readonly string[]
    pointer: string
    /** Pointers to the ids that follow it in the path, by parameter. */
    others?: Readonly<Record<string, string>>
  }
}

/** What an Idempotency-Key is made of. */
export const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/

type Shape = Omit<Endpoint, 'method' | 'path' | 'access'>

/** Describes an endpoint: `endpoint('POST /api/lists', 'user', { summary, body, response })`. Path parameters are `:name`. */
export function endpoint<const A extends Access, const S extends Shape>(
  route: `${Method} /${string}`,
  access: A,
  shape: S,
) {
  const [method, path] = route.split(' ') as [Method, string]
  return { method, path, access, ...shape }
}

type Parts = 'params' | 'query' | 'body'

/** What a caller gives. */
export type Input<E> = {
  [P in Parts as E extends Record<P, z.ZodType> ? P : never]: E extends Record<P, infer S extends z.ZodType>
    ? z.input<S>
    : never
}

/** What a handler receives, checked. */
export type Checked<E> = {
  [P in Parts as E extends Record<P, z.ZodType> ? P : never]: E extends Record<P, infer S extends z.ZodType>
    ? z.output<S>
    : never
}

/** What a handler returns and a caller gets. */
export type ResponseBody<E> = E extends { response: infer S extends z.ZodType } ? z.output<S> : undefined
