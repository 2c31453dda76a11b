import { randomUUID } from 'node:crypto'
import { Agent, request } from 'undici'
import {
  type SenderProblem,
  type SendRequest,
  type SendResult,
  SmtpConnectError,
  type SmtpConnection,
} from '#server/engine/index.ts'
import { ConsentProblem } from './consent.ts'
import { readSendResponse } from './gmail-response.ts'

/** An access token, and how to say that Google refused it before its time. */
export interface GmailAccess {
  token(): Promise<string>
  refused(token: string): Promise<void>
}

/** Above it the message travels as it is and not inside JSON. Bytes. */
const JSON_LIMIT = 5 * 1024 * 1024
const RESPONSE_TIMEOUT_MS = 60_000
const MAX_RESPONSE_BYTES = 64 * 1024
/** Nothing of the message can have left when one of these is the reason. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])
// A connection for each message: Google may close an open one just as a message goes out, and its result would be unknown.
const agent = new Agent({
  pipelining: 0,
  connect: { timeout: 15_000 },
  headersTimeout: RESPONSE_TIMEOUT_MS,
  bodyTimeout: RESPONSE_TIMEOUT_MS,
})

/** Why no token was to be had, as a problem of the sender. */
function tokenProblem(error: unknown): SenderProblem {
  if (!(error instanceof ConsentProblem)) throw error
  if (error.kind === 'failed')
    return { kind: 'timeout', text: 'Google could not be reached for a permission to send.', code: null }
  const text =
    error.kind === 'client' && !error.message.endsWith('.')
      ? 'Google does not accept the client id or its secret. Check them in the Gmail settings.'
      : error.message
  return { kind: 'auth', text, code: null }
}

/**
 * Gmail's API in the place of a mail server: one message at a time, and an exact answer about what became of it. Opening
 * it makes sure that there is a token. `headers` go with every message. Rejects with SmtpConnectError.
 */
export async function connectGmail(
  apiUrl: string,
  access: GmailAccess,
  headers: Record<string, string> = {},
): Promise<SmtpConnection> {
  try {
    await access.token()
  } catch (error) {
    throw new SmtpConnectError(tokenProblem(error))
  }
  return new GmailConnection(apiUrl, access, headers)
}

class GmailConnection implements SmtpConnection {
  readonly opened = false
  #apiUrl: string
  #access: GmailAccess
  #headers: Record<string, string>
  #cut = new AbortController()
  #carried = 0

  constructor(apiUrl: string, access: GmailAccess, headers: Record<string, string>) {
    this.#apiUrl = apiUrl
    this.#access = access
    this.#headers = headers
  }

  get usable(): boolean {
    return !this.#cut.signal.aborted
  }

  get carried(): number {
    return this.#carried
  }

  async send(given: SendRequest): Promise<SendResult> {
    let token: string
    try {
      token = await this.#access.token()
      const turn = given.beforeData?.()
      if (turn) await turn
      await given.onBeforeFinalDot?.()
    } catch (error) {
      const notSent = { kind: 'not_sent' as const, code: null, enhanced: null, response: (error as Error).message }
      return error instanceof ConsentProblem ? { ...notSent, problem: tokenProblem(error) } : notSent
    }
    this.#carried++
    let result = await this.#post(given, given.thread, token)
    if (result.code === 401) {
      // Certainly not taken: once more with a fresh token, and no second time.
      await this.#access.refused(token)
      try {
        result = await this.#post(given, given.thread, await this.#access.token())
      } catch (error) {
        return { ...result, problem: tokenProblem(error) }
      }
    }
    // The thread was deleted in the mailbox, so there is none to answer in.
    if (result.code === 404 && given.thread) result = await this.#post(given, null, await this.#access.token())
    return result
  }

  async #post({ data }: SendRequest, thread: string | null | undefined, token: string): Promise<SendResult> {
    const { path, type, body } = asRequest(data, thread)
    try {
      const response = await request(`${this.#apiUrl}${path}`, {
        dispatcher: agent,
        method: 'POST',
        headers: { ...this.#headers, authorization: `Bearer ${token}`, 'content-type': type },
        body,
        signal: AbortSignal.any([this.#cut.signal, AbortSignal.timeout(2 * RESPONSE_TIMEOUT_MS)]),
      })
      return readSendResponse(response.statusCode, await readBeginning(response.body))
    } catch (error) {
      return lost(error as NodeJS.ErrnoException)
    }
  }

  async quit(): Promise<void> {}

  destroy(): void {
    this.#cut.abort()
  }
}

/** JSON for what is small; media upload for what is not, with a JSON part in front (RFC 2387) where a thread is to be named. */
function asRequest(
  data: Buffer,
  thread: string | null | undefined,
): { path: string; type: string; body: Buffer | string } {
  const path = '/gmail/v1/users/me/messages/send'
  if (data.length <= JSON_LIMIT) {
    const body = JSON.stringify({ raw: data.toString('base64url'), ...(thread && { threadId: thread }) })
    return { path, type: 'application/json', body }
  }
  if (!thread) return { path: `/upload${path}?uploadType=media`, type: 'message/rfc822', body: data }
  const boundary = randomUUID()
  const head = `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify({ threadId: thread })}\r\n--${boundary}\r\nContent-Type: message/rfc822\r\n\r\n`
  return {
    path: `/upload${path}?uploadType=multipart`,
    type: `multipart/related; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), data, Buffer.from(`\r\n--${boundary}--`)]),
  }
}

/** An answer's beginning: an error says what it has to in a few lines. */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    if (bytes < MAX_RESPONSE_BYTES) chunks.push(chunk)
    bytes += chunk.length
  }
  return Buffer.concat(chunks).toString()
}

/** No answer: certainly not sent where no connection came about, and otherwise nobody knows. */
function lost(error: NodeJS.ErrnoException): SendResult {
  const code = error.code ?? ''
  if (NOT_CONNECTED.has(code)) {
    const problem: SenderProblem = { kind: 'refused', text: `Gmail cannot be reached (${code}).`, code: null }
    return { kind: 'not_sent', code: null, enhanced: null, response: problem.text, problem }
  }
  const response = 'The connection to Gmail ended before its response. It is unknown whether it accepted the message.'
  return { kind: 'unconfirmed', code: null, enhanced: null, response }
}
