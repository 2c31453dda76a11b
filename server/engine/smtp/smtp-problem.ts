/** Why a mail server could not be used, in words for the person who typed its name in. */
import { cleanResponse } from '../bounces/classify.ts'
import type { SenderProblem, SenderProblemKind, SendResult, SmtpOptions } from './types.ts'

/** No connection could be made, so no message was touched. */
export class SmtpConnectError extends Error {
  problem: SenderProblem
  constructor(problem: SenderProblem) {
    super(problem.text)
    this.name = 'SmtpConnectError'
    this.problem = problem
  }
}

/** The conversation broke: closed, too slow, or not SMTP. */
export class WireError extends Error {
  kind: 'closed' | 'timeout' | 'garbage'
  override cause: Error | undefined
  constructor(kind: WireError['kind'], message: string, cause?: Error) {
    super(message)
    this.kind = kind
    this.cause = cause
  }
}

export type Stage = 'connect' | 'greeting' | 'tls' | 'auth'

export function problem(kind: SenderProblemKind, text: string, code: number | null = null): SmtpConnectError {
  return new SmtpConnectError({ kind, text, code })
}

/** A reply that ends the attempt to connect. */
export function refusedReply(stage: Stage, { code, text }: { code: number; text: string }): SmtpConnectError {
  const words = `${code} ${cleanResponse(text)}`
  if (stage === 'auth')
    return problem('auth', `The mail server did not accept the user name and password: ${words}`, code)
  if (stage === 'tls') return problem('tls', `The mail server would not start encryption: ${words}`, code)
  return problem('greeting', `The mail server does not take our mail now: ${words}`, code)
}

/**
 * The problem of a sender whose address the mail server refused, whatever the message was; undefined: it did not. `returnsTo`: the
 * domain of the address for bounces, where the message named that one instead.
 */
export function findAddressProblem(
  { stage, kind, code, response }: SendResult,
  returnsTo: string | undefined,
): SenderProblem | undefined {
  // 552: the message is too large, and others may be smaller.
  if (stage !== 'mail' || kind !== 'failed' || code === 552) return undefined
  const what = returnsTo === undefined ? "the sender's address" : `the address for bounces (@${returnsTo})`
  return { kind: 'sender', text: `The mail server refuses ${what}: ${response}`, code }
}

const DNS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NONAME', 'ENODATA', 'ESERVFAIL'])
const UNREACHABLE = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'])

/** Whatever went wrong while connecting, as a problem of the sender. */
export function connectProblem(error: unknown, stage: Stage, { host, port }: SmtpOptions): SmtpConnectError {
  if (error instanceof SmtpConnectError) return error
  const place = `${host}, port ${port}`
  const source = error instanceof WireError && error.cause ? error.cause : (error as Error)
  const code = (source as NodeJS.ErrnoException).code ?? ''
  if (DNS.has(code))
    return problem('dns', `The name ${host} was not found. Check how the mail server's name is spelled.`)
  // The name had another address when the sender was saved.
  if (code === 'ENOTPUBLIC')
    return problem(
      'refused',
      `${host} leads to an address that is not public, so it cannot be used. The operator can allow it with COLLECTOR_ALLOW_PRIVATE (host:port).`,
    )
  if (code === 'ECONNREFUSED')
    return problem('refused', `No server responds at ${place}. Check the port and whether the mail server runs.`)
  if (UNREACHABLE.has(code)) return problem('refused', `${place} cannot be reached from here (${code}).`)
  if (error instanceof WireError && error.kind === 'timeout') return problem('timeout', timeoutText(stage, place))
  if (code === 'ETIMEDOUT') return problem('timeout', timeoutText(stage, place))
  if (stage === 'tls' || /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code)) {
    return problem('tls', `An encrypted connection to ${place} could not be made: ${cleanResponse(source.message)}`)
  }
  if (error instanceof WireError && error.kind === 'garbage') {
    return problem('greeting', `The server at ${place} does not speak SMTP: ${error.message}`)
  }
  if (error instanceof WireError && stage === 'auth')
    return problem('auth', `${place} closed the connection during sign-in.`)
  if (error instanceof WireError) return problem('greeting', `${place} closed the connection before it was ready.`)
  return problem('refused', `${place} cannot be used: ${cleanResponse(source.message)}`)
}

function timeoutText(stage: Stage, place: string): string {
  if (stage === 'connect') return `${place} did not respond in time. A firewall may be in between.`
  return `${place} accepted the connection but did not respond in time. The port may want another kind of security.`
}
