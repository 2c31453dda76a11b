/** Refusals because a receiver does not believe who sends (SPF, DKIM, DMARC), and what to do about it. */
import { matchAny, toPhrases } from './phrases/phrases.ts'

type Fault = 'spf' | 'dkim' | 'dmarc' | 'host' | 'tls'

/**
 * Status codes about the authentication of the sender: RFC 7372, those that Google documents for it (also as 4.7.x), and Microsoft's
 * of three digits.
 */
const FAULTS: Record<string, Fault> = {
  ...{ 20: 'dkim', 21: 'dkim', 22: 'dkim', 23: 'spf', 24: 'spf', 25: 'host', 26: 'dmarc', 27: 'spf' },
  ...{ 29: 'tls', 30: 'dkim', 31: 'dmarc', 32: 'dmarc', 40: 'dmarc', 509: 'dmarc', 515: 'dmarc' },
}
/** The status code of the reply is its first one: text after it may be of the receiver's customers. */
const CODE = /(?<![\d.])[245]\.(\d{1,3})\.(\d{1,3})(?![\d.])/

const FAILS =
  '(fail|fails|failed|failure|failures|invalid|not|did not|does not|reject|rejected|rejects|policy|violation|permerror|error|neutral|softfail|missing|no valid|unable|enforcement)'
const blames: [Fault, (words: string) => boolean][] = [
  ['dmarc', matchAny(`dmarc … ${FAILS}\n${FAILS} … dmarc`)],
  ['dkim', matchAny(`(dkim|domainkeys) … ${FAILS}\n${FAILS} … dkim`)],
  ['spf', matchAny(`(spf|sender policy framework) … ${FAILS}\n${FAILS} … (spf|sender policy framework)`)],
  [
    'dmarc',
    matchAny(`
unauthenticated
(sender|from) … not authenticated
sender authentication (failed|failure|required)
(requires|require) all senders to authenticate
(required|necessary) authentication level
`),
  ],
]

const FIXES: Record<Fault, string> = {
  spf: 'The SPF record of the From domain does not allow the mail server that sends. Publish the record shown under Email Sender → Domains, with the mail server in it.',
  dkim: 'The email has no valid DKIM signature of the From domain. Publish the DKIM records shown under Email Sender → Domains, and check the domain there.',
  dmarc:
    'Neither SPF nor DKIM passes for the From domain. Publish its records shown under Email Sender → Domains, or choose a From address of a domain that is verified there.',
  host: 'The IP address of the mail server has no host name that leads back to it. Ask the operator of the mail server for a PTR record.',
  tls: 'The mail server did not encrypt the connection. Turn on TLS for outgoing email where the mail server is configured.',
}

/** What a receiver missed to believe who sends. */
export interface AuthenticationFault {
  /** Named by its status code, and not in words alone, which owners of a domain may write into rules of their own. */
  isCoded: boolean
  /** What to do, in sentences. */
  fix: string
}

/** Why a refusal of the sender (class block) is one for lack of authentication; null: it is not. */
export function findAuthenticationFault(response: string): AuthenticationFault | null {
  const [, subject, detail = ''] = CODE.exec(response.slice(0, 500)) ?? []
  const coded = subject === '7' ? FAULTS[detail] : undefined
  if (coded) return { isCoded: true, fix: FIXES[coded] }
  const words = toPhrases(response)
  const [fault] = blames.find(([, isBlamed]) => isBlamed(words)) ?? []
  return fault ? { isCoded: false, fix: FIXES[fault] } : null
}
