import type { SenderProblem, SendRequest, SendResult, SmtpConnection } from '#server/engine/index.ts'
import type { WhatsAppApi } from './api.ts'
import type { WhatsAppKeys } from './call.ts'
import { findCodeMeaning } from './codes.ts'
import { WhatsAppProblem } from './problem.ts'

/**
 * Meta's API in the place of a mail server: `data` of a request is the message as JSON. Nothing is opened, so nothing can
 * fail before the first message.
 */
export function whatsAppConnection(api: WhatsAppApi, keys: WhatsAppKeys, phoneNumberId: string): SmtpConnection {
  let isCut = false
  let carried = 0
  return {
    opened: false,
    get usable() {
      return !isCut
    },
    get carried() {
      return carried
    },
    async send({ data, beforeData, onBeforeFinalDot }: SendRequest): Promise<SendResult> {
      try {
        const turn = beforeData?.()
        if (turn) await turn
        await onBeforeFinalDot?.()
      } catch (error) {
        return { kind: 'not_sent', code: null, enhanced: null, response: (error as Error).message }
      }
      carried++
      try {
        const { wamid, person, status } = await api.send(keys, phoneNumberId, JSON.parse(data.toString()))
        const response = status === 'accepted' ? 'WhatsApp accepted it.' : `WhatsApp accepted it and says: ${status}.`
        return { kind: 'sent', code: 200, enhanced: null, response, remote: { id: wamid, thread: person } }
      } catch (error) {
        if (!(error instanceof WhatsAppProblem)) throw error
        return readProblem(error)
      }
    },
    async quit() {},
    destroy() {
      isCut = true
    },
  }
}

/** How long nothing more is sent at all, for limits Meta tells no end of. Milliseconds; undefined: growing gaps of seconds. */
const RESTS = new Map([
  [4, 60_000],
  [80007, 60_000],
  [132069, 3_600_000],
])

/** What became of a message Meta did not take, by its code alone. `problem`: the same would happen to any other. */
export function readProblem(problem: WhatsAppProblem, now = Date.now()): SendResult {
  const { kind, code, status, message } = problem
  const of = (kind: SendResult['kind'], reason: string, response: string): SendResult => ({
    kind,
    code: code < 0 ? null : code,
    enhanced: null,
    response,
    reason,
  })
  if (kind === 'lost')
    return of(
      'unconfirmed',
      'lost',
      `${message} It is unknown whether it was accepted. A webhook event will settle it.`,
    )
  const stopped = (what: SenderProblem['kind'], text: string, until?: number): SendResult => ({
    ...of('deferred', what, text),
    problem: { kind: what, text, code: code < 0 ? null : code, ...(until && { until: new Date(until).toISOString() }) },
  })
  if (kind === 'unreachable') return stopped('refused', message)
  // An answer without a code is not Meta's but of something in between; it has not seen the message.
  if (code < 0) return stopped(status === 429 ? 'quota' : 'refused', message)
  const { action, text } = findCodeMeaning(code)
  const words = problem.details ? `${text} Meta says: ${problem.details}` : text
  switch (action) {
    case 'reconnect':
      return stopped('auth', words)
    case 'pause':
    case 'stop':
      return stopped('sender', words)
    case 'slow':
      return stopped('quota', words, RESTS.has(code) ? now + (RESTS.get(code) ?? 0) : undefined)
    case 'retry':
    case 'once':
    case 'pair':
      return of('deferred', action, words)
    default:
      return of('failed', failureReason(code), words)
  }
}

const REASONS = new Map([
  [131026, 'no_whatsapp'],
  [131049, 'marketing_limit'],
  [131050, 'opted_out'],
  [130472, 'experiment'],
  [130497, 'country'],
  [131047, 'window_closed'],
  [131030, 'not_on_test_list'],
  [131062, 'needs_number'],
])
const REQUESTS = [131051, 131008, 131009, 100, 33, 132005, 132007, 132012, 132018]

/** A failure in one word, as a recipient's row says it. */
export const failureReason = (code: number): string =>
  REASONS.get(code) ?? (REQUESTS.includes(code) ? 'message' : 'refused')
