/** Error bodies as the Gmail API documents them (guides/handle-errors). */

/** An answer other than success. */
export interface ApiError {
  status: number
  body: unknown
}

interface Words {
  reason: string
  domain?: string
  word?: string
  details?: unknown[]
}

function apiError(status: number, message: string, { reason, domain = 'global', word, details }: Words): ApiError {
  const inner = { message, domain, reason }
  return {
    status,
    body: {
      error: { code: status, message, errors: [inner], ...(word && { status: word }), ...(details && { details }) },
    },
  }
}

const isoIn = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()

export const errors = {
  unauthenticated: () =>
    apiError(
      401,
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
      { reason: 'authError', word: 'UNAUTHENTICATED' },
    ),
  scope: () =>
    apiError(403, 'Request had insufficient authentication scopes.', {
      reason: 'insufficientPermissions',
      word: 'PERMISSION_DENIED',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
          domain: 'googleapis.com',
        },
      ],
    }),
  rateLimit: (seconds: number) =>
    apiError(403, `User-rate limit exceeded.  Retry after ${isoIn(seconds)}`, {
      reason: 'rateLimitExceeded',
      domain: 'usageLimits',
      word: 'PERMISSION_DENIED',
    }),
  userRateLimit: () =>
    apiError(403, 'User Rate Limit Exceeded', { reason: 'userRateLimitExceeded', domain: 'usageLimits' }),
  projectDay: () => apiError(403, 'Daily Limit Exceeded', { reason: 'dailyLimitExceeded', domain: 'usageLimits' }),
  domainPolicy: () => apiError(403, 'The domain administrators have disabled Gmail apps.', { reason: 'domainPolicy' }),
  mailSending: (seconds: number) =>
    apiError(429, `User-rate limit exceeded.  Retry after ${isoIn(seconds)} (Mail sending)`, {
      reason: 'rateLimitExceeded',
      domain: 'usageLimits',
      word: 'RESOURCE_EXHAUSTED',
    }),
  perMinute: () =>
    apiError(
      429,
      "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'gmail.googleapis.com'.",
      { reason: 'rateLimitExceeded', domain: 'usageLimits', word: 'RESOURCE_EXHAUSTED' },
    ),
  invalid: (message: string) => apiError(400, message, { reason: 'invalidArgument', word: 'INVALID_ARGUMENT' }),
  noMail: () =>
    apiError(400, 'Mail service not enabled', { reason: 'failedPrecondition', word: 'FAILED_PRECONDITION' }),
  notFound: () => apiError(404, 'Requested entity was not found.', { reason: 'notFound', word: 'NOT_FOUND' }),
  backend: (status = 500) => apiError(status, 'Backend Error', { reason: 'backendError', word: 'INTERNAL' }),
}
