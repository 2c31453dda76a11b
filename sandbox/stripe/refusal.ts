/** The response of Stripe when it refuses: its own body, with the matching status. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly type: string
  readonly code: string | undefined
  readonly param: string | undefined
  constructor(status: number, message: string, more: { type?: string; code?: string; param?: string } = {}) {
    super(message)
    this.status = status
    this.type = more.type ?? 'invalid_request_error'
    this.code = more.code
    this.param = more.param
  }

  body() {
    const { type, message, code, param } = this
    return { error: { type, message, ...(code && { code }), ...(param && { param }) } }
  }
}

export const missing = (kind: string, id: string, param = 'id') =>
  new StripeRefusal(404, `No such ${kind}: '${id}'`, { code: 'resource_missing', param })
export const wrong = (message: string, param?: string, code?: string) =>
  new StripeRefusal(400, message, { ...(param && { param }), ...(code && { code }) })
export const declined = () =>
  new StripeRefusal(402, 'Your card was declined.', { type: 'card_error', code: 'card_declined' })
