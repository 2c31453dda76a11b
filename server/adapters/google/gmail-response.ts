import type { SenderProblem, SendResult } from '#server/engine/index.ts'

/** With "(Mail sending)" and no time in the text the day's limit is reached, and asking earlier pushes its end out. */
const DAY_LIMIT_REST_MS = 6 * 3_600_000
const MAX_REST_MS = 25 * 3_600_000

interface ParsedError {
  message: string
  /** The machine words of every place Google puts them in. */
  words: Set<string>
}

/** An error body as documented, or whatever came instead of one. */
function parse(text: string): ParsedError {
  try {
    const { error } = JSON.parse(text) as { error?: unknown }
    const { message, status, errors, details } = (error ?? {}) as Record<string, unknown>
    const reasons = [errors, details].flatMap((list) => (Array.isArray(list) ? list : []))
    const words = [status, ...reasons.map((entry) => (entry as { reason?: unknown } | null)?.reason)]
    return {
      message: typeof message === 'string' ? message : '',
      words: new Set(words.filter((word) => typeof word === 'string')),
    }
  } catch {
    return { message: '', words: new Set() }
  }
}

/** The time a quota answer names ("Retry after 2026-09-11T20:00:00.000Z"), never more than 25 hours ahead. undefined: none. */
export function retryTime(message: string, now: number): Date | undefined {
  const found = /retry after\s+(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d))/i.exec(message)?.[1]
  const at = found === undefined ? Number.NaN : Date.parse(found)
  if (!Number.isFinite(at)) return undefined
  return new Date(Math.min(Math.max(at, now + 1_000), now + MAX_REST_MS))
}

const clean = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, 300)

/** What became of a message, by Gmail's answer to messages.send. `problem` says that the account can send nothing now. */
export function readSendResponse(status: number, text: string, now = Date.now()): SendResult {
  if (status >= 200 && status < 300) return taken(status, text)
  const { message, words } = parse(text)
  const response = `${status} ${clean(message) || 'Gmail responded with an unknown error'}`
  const refused = (problem: SenderProblem): SendResult => ({
    kind: 'deferred',
    code: status,
    enhanced: null,
    response,
    problem,
  })
  const failed = (): SendResult => ({ kind: 'failed', code: null, enhanced: '5.3.4', response })
  if (status === 401)
    return refused({
      kind: 'auth',
      text: `Google no longer accepts the permission: ${clean(message)}`,
      code: status,
    })
  if (words.has('ACCESS_TOKEN_SCOPE_INSUFFICIENT') || words.has('insufficientPermissions'))
    return refused({
      kind: 'auth',
      text: 'The permission to send is missing. Connect the account again and leave the box for sending selected.',
      code: status,
    })
  if (words.has('dailyLimitExceeded') || words.has('domainPolicy') || words.has('failedPrecondition'))
    return refused({
      kind: 'sender',
      text: `Google does not send for this account: ${clean(message)}`,
      code: status,
    })
  const isQuota = ['rateLimitExceeded', 'userRateLimitExceeded', 'RESOURCE_EXHAUSTED'].some((word) => words.has(word))
  if (isQuota || status === 429) return refused(quota(status, message, now))
  if (status === 413 || (status === 400 && /too large|exceeds/i.test(message))) return failed()
  if (status === 400 && message) return { kind: 'failed', code: null, enhanced: '5.6.0', response }
  // Behind a gateway that gave up waiting the message may have been taken.
  if (status === 504) return { kind: 'unconfirmed', code: status, enhanced: null, response }
  return { kind: 'deferred', code: status, enhanced: null, response }
}

function taken(status: number, text: string): SendResult {
  try {
    const { id, threadId } = JSON.parse(text) as { id?: unknown; threadId?: unknown }
    if (typeof id === 'string' && /^[\w-]{1,100}$/.test(id)) {
      const thread = typeof threadId === 'string' && /^[\w-]{1,100}$/.test(threadId) ? threadId : id
      const response = `Gmail accepted it as ${id}.`
      return { kind: 'sent', code: status, enhanced: null, response, remote: { id, thread } }
    }
  } catch {}
  const response = 'Gmail’s response could not be read. It is unknown whether it accepted the message.'
  return { kind: 'unconfirmed', code: status, enhanced: null, response }
}

function quota(code: number, message: string, now: number): SenderProblem {
  const isDay = /mail sending/i.test(message)
  const until = retryTime(message, now) ?? (isDay ? new Date(now + DAY_LIMIT_REST_MS) : undefined)
  const text = isDay
    ? 'Google’s 24-hour sending limit for this account is reached.'
    : 'Google asks this account to send more slowly.'
  return { kind: 'quota', text, code, ...(until && { until: until.toISOString() }) }
}
