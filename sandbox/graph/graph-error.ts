import { randomBytes } from 'node:crypto'

/** What Graph refuses with: an HTTP status and the body of its documentation. */
export class GraphError extends Error {
  readonly status: number
  body: { error: Record<string, unknown> }
  constructor(status: number, code: number, message: string, more: Record<string, unknown> = {}) {
    super(message)
    this.status = status
    this.body = {
      error: { message, type: 'OAuthException', code, ...more, fbtrace_id: randomBytes(8).toString('base64url') },
    }
  }
}

/** Codes of WhatsApp itself, with the words and the HTTP status they come with. */
const CODES: Record<number, [status: number, title: string, details: string]> = {
  4: [429, 'Application request limit reached', 'The app has reached its API call rate limit.'],
  190: [401, 'Invalid OAuth access token', 'The access token has expired.'],
  368: [
    403,
    'Temporarily blocked for policies violations',
    'The business account was restricted for violating a policy.',
  ],
  80007: [429, 'Rate limit issues', 'The WhatsApp Business Account has reached its rate limit.'],
  130429: [429, 'Rate limit hit', 'Cloud API message throughput has been reached.'],
  130472: [400, "User's number is part of an experiment", 'Message was not sent as part of an experiment.'],
  131000: [500, 'Something went wrong', 'Message failed to send due to an unknown error.'],
  131016: [500, 'Service unavailable', 'A service is temporarily unavailable.'],
  131026: [400, 'Message undeliverable', 'Unable to deliver message.'],
  131031: [403, 'Business Account locked', 'The WhatsApp Business Account was locked.'],
  131042: [400, 'Business eligibility payment issue', 'There was an error related to the payment method.'],
  131047: [400, 'Re-engagement message', 'More than 24 hours have passed since the recipient last replied.'],
  131048: [429, 'Spam rate limit hit', 'There are restrictions on how many messages can be sent from this number.'],
  131049: [
    400,
    'Message not delivered to maintain healthy ecosystem engagement',
    'In order to maintain a healthy ecosystem engagement, the message failed to be delivered.',
  ],
  131050: [
    400,
    'User has stopped receiving marketing messages',
    'The user stopped marketing messages from this business.',
  ],
  131051: [400, 'Unsupported message type', 'Message type is unknown.'],
  131053: [400, 'Media upload error', 'Unable to upload the media.'],
  131008: [400, 'Required parameter is missing', 'The request is missing a required parameter.'],
  131009: [400, 'Parameter value is not valid', 'One or more parameter values are invalid.'],
  131062: [
    400,
    'Business-scoped user ID recipients are not supported for this message',
    'Authentication templates can only be sent to a phone number.',
  ],
  132018: [400, 'Template parameter validation failed', 'A parameter has a format that is not allowed.'],
  131056: [
    429,
    '(Business Account, Consumer Account) pair rate limit hit',
    'Too many messages to the same recipient in a short period.',
  ],
  132000: [
    400,
    'Number of parameters does not match the expected number of params',
    'The number of variables does not match.',
  ],
  132001: [
    404,
    'Template name does not exist in the translation',
    'The template does not exist in this language or is not approved.',
  ],
  132012: [
    400,
    'Parameter format does not match format in the created template',
    'Variable parameter values formatted incorrectly.',
  ],
  132015: [400, 'Template is Paused', 'The template is paused due to low quality.'],
  132016: [400, 'Template is Disabled', 'The template has been paused too many times and is now disabled.'],
}

/** An error by its code, as the answer of a call has it. */
export function graphError(code: number, details?: string): GraphError {
  const [status, title, usual] = CODES[code] ?? [400, 'Something went wrong', '']
  const subcode =
    code === 190 ? { error_subcode: 463 } : code === 4 ? { error_subcode: 2446079, is_transient: true } : {}
  return new GraphError(status, code, `(#${code}) ${title}`, {
    ...subcode,
    error_data: { messaging_product: 'whatsapp', details: details ?? usual },
  })
}

/** The same, as a failed status has it. */
export function statusError(code: number) {
  const [, title, details] = CODES[code] ?? [400, 'Something went wrong', '']
  return {
    code,
    title,
    message: title,
    error_data: { details },
    href: '/documentation/business-messaging/whatsapp/support/error-codes',
  }
}

export const badParameter = (details: string, code = 100) =>
  new GraphError(400, code, `(#${code}) Invalid parameter`, { error_data: { messaging_product: 'whatsapp', details } })
export const notLoadable = (id: string) =>
  new GraphError(
    400,
    100,
    `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`,
    { type: 'GraphMethodException', error_subcode: 33 },
  )
