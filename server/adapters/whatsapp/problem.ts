/**
 * A call to Meta that did not go well. `refused`: Meta answered no, with its code; `unreachable`: nothing was handed over;
 * `lost`: it may have been taken, the answer never came.
 */
export class WhatsAppProblem extends Error {
  readonly kind: 'refused' | 'unreachable' | 'lost'
  readonly status: number
  /** Meta's code, such as 131056; -1 where it said none. */
  readonly code: number
  readonly subcode: number
  /** Meta's explanation. Holds no token. */
  readonly details: string
  constructor(
    kind: WhatsAppProblem['kind'],
    message: string,
    more: { status?: number; code?: number; subcode?: number; details?: string } = {},
  ) {
    super(message)
    this.name = 'WhatsAppProblem'
    this.kind = kind
    this.status = more.status ?? 0
    this.code = more.code ?? -1
    this.subcode = more.subcode ?? 0
    this.details = more.details ?? ''
  }
}

/** Reads JSON whose whole numbers may be wider than JavaScript's: those stay text. Throws SyntaxError. */
export function parseJson(text: string): unknown {
  const reviver = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? context?.source
      : value
  return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1])
}

const NEVER_LEFT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'EACCES',
  'ENOTPUBLIC',
])

/** What a failed connection says: whether anything can have been handed over. */
export function problemOfWire(error: unknown): WhatsAppProblem {
  const cause = (error as { cause?: { code?: string } }).cause
  const code = (error as { code?: string }).code ?? cause?.code ?? ''
  if (NEVER_LEFT.has(code) || code.startsWith('ERR_TLS') || code.startsWith('CERT_'))
    return new WhatsAppProblem('unreachable', `WhatsApp cannot be reached (${code}).`)
  return new WhatsAppProblem('lost', `The connection to WhatsApp broke before its response (${code || 'no reason'}).`)
}

interface ErrorBody {
  error?: {
    message?: unknown
    code?: unknown
    error_subcode?: unknown
    error_data?: { details?: unknown }
    error_user_msg?: unknown
  }
}

/** What Meta's refusal says. An answer that is not its own, such as a page of a proxy, has no code. */
export function readProblem(status: number, text: string): WhatsAppProblem {
  let body: ErrorBody = {}
  try {
    body = (parseJson(text) ?? {}) as ErrorBody
  } catch {
    // A page of something in between.
  }
  const error = body.error ?? {}
  const words = (value: unknown) =>
    typeof value === 'string' ? value.replaceAll(/EAA[A-Za-z0-9]+/g, '…').slice(0, 300) : ''
  const message = words(error.message) || `WhatsApp responded with status ${status}.`
  const code = typeof error.code === 'number' ? error.code : -1
  // A failure without a word of Meta's may have happened after the message was taken.
  if (status >= 500 && code === -1) return new WhatsAppProblem('lost', message, { status })
  return new WhatsAppProblem('refused', message, {
    status,
    code,
    subcode: Number(error.error_subcode) || 0,
    details: words(error.error_data?.details) || words(error.error_user_msg),
  })
}
