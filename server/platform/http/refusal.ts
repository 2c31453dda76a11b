import { labelField, toSentence } from '#contracts/invalid-input.ts'

/** A request that is refused, with the status, the machine word and the text for people. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly details: { field?: string; message: string }[] | undefined
  readonly retryAfter: number | undefined
  constructor(
    status: number,
    code: string,
    message: string,
    extra: { details?: { field?: string; message: string }[]; retryAfter?: number } = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.details = extra.details
    this.retryAfter = extra.retryAfter
  }
}

/** 400: a value is invalid; `message` is a predicate, such as "is required", and the sentence names the field. */
export const invalid = (field: string, message: string) =>
  new Refusal(400, 'invalid', toSentence(labelField(field), message), { details: [{ field, message }] })
/** 400: an id, or one of several, that this workspace does not have; the same text whether another workspace has it. */
export const unknownId = (field: string) =>
  invalid(field, `${field.endsWith('s') ? 'has an id that does' : 'does'} not exist in this workspace`)
/** 401: the token is missing, invalid or expired. */
export const unauthorized = () => new Refusal(401, 'unauthorized', 'Unauthorized')
/** 403: for admins only. */
export const adminRequired = () => new Refusal(403, 'admin_required', 'Only an admin can do this.')
/** 403: for paid plans only. */
export const planRequired = () => new Refusal(403, 'plan_required', 'This tool requires a paid plan.')
/** 404: it does not exist in this workspace. */
export const notFound = (what: string) => new Refusal(404, 'not_found', `${what} not found.`)
/** 409: it conflicts with the current state. */
export const conflict = (code: string, message: string) => new Refusal(409, code, message)
/** 429: too many requests; `retryAfter` in seconds. */
export const tooMany = (message: string, retryAfter: number) =>
  new Refusal(429, 'too_many_requests', message, { retryAfter: Math.max(1, Math.ceil(retryAfter)) })
