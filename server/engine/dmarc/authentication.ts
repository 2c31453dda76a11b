import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { evaluateDmarc } from 'mailauth/lib/dmarc/index.js'
import { spf } from 'mailauth/lib/spf/index.js'
import { getDomain } from 'tldts'
import { nameServers } from '#server/platform/dns.ts'
import { isPublicAddress } from '#server/platform/egress.ts'
import { cleanResponse } from '../bounces/classify.ts'
import type { Delivery } from './author.ts'

/** `none`: there is no signature, or no record; `unknown`: it could not be told. */
type Verdict = 'pass' | 'fail' | 'none' | 'unknown'

/** One DKIM signature of an email. */
interface SignatureVerdict {
  domain: string
  selector: string
  state: 'pass' | 'fail' | 'unknown'
  /** Its domain belongs to that of From, as the DMARC record asks for. */
  aligned: boolean
  /** A valid one covers the fields for unsubscribing (RFC 8058). */
  coversUnsubscribe: boolean
  /** Why it did not pass, in mailauth's words or ours; '' where it did. */
  reason: string
}

/** What a receiver finds in an email. */
export interface Authentication {
  /** `pass`: a valid signature is aligned with From. */
  dkim: Verdict
  signatures: SignatureVerdict[]
  /** `reason`: why the record cannot be evaluated; '' where it can. */
  spf: { state: Verdict; domain: string; aligned: boolean; reason: string }
  dmarc: { state: Verdict; policy: 'none' | 'quarantine' | 'reject' | null }
}

/** Signatures of an email that are told; a relay adds one or two. */
const MAX_SIGNATURES = 5
const MAX_NAME = 255
/** For all questions of SPF. Within the time of the thread that reads reports, also where nothing responds. */
const SPF_MS = 3_000

/**
 * Judges an email as a receiver does: DKIM, SPF of who delivered it, and DMARC by RFC 9989. `mark` stands in its subject: a signature
 * counts only if that is under it. SPF of an address that is not public can pass and not fail: it is a server of ours that
 * passed the email on, so the address it left from is unknown, and so is what follows from it.
 */
export async function authenticate(
  raw: Uint8Array,
  servers: readonly string[],
  { ip, helo, mailFrom }: Delivery,
  mark: string,
): Promise<Authentication> {
  const dns = nameServers(servers, { timeout: 1_500, tries: 1 })
  const resolver = (name: string, type: string) => dns.resolve(name, type as 'TXT')
  const [{ results, headerFrom, fromFields }, { status, domain }] = await Promise.all([
    dkimVerify(Buffer.from(raw), { resolver, minBitLength: 1_024 }),
    spf({ sender: mailFrom || `postmaster@${helo}`, ip, helo, resolver, maxElapsedTime: SPF_MS }),
  ])
  const signed = results
    .filter(({ status }) => status.result !== 'none')
    .slice(0, MAX_SIGNATURES)
    .map((result) => judgeSignature(result, mark))
  const spfState = readSpfState(status.result, ip)
  const { response, dkimAligned } = await evaluateDmarc({
    ...{ headerFrom, fromFields, resolver },
    spfDomains: spfState === 'pass' ? [domain] : [],
    dkimDomains: signed.filter(({ state }) => state === 'pass').map(({ domain }) => ({ domain })),
  })
  const author = toOrganization(headerFrom[0] ?? '')
  const hasPolicy = response !== false && response.status.result !== 'none'
  const aligns = (name: string) => author !== null && toOrganization(name) === author
  const signatures = signed.map((one) => ({
    ...one,
    aligned: hasPolicy && dkimAligned && one.state === 'pass' ? dkimAligned.has(one.domain) : aligns(one.domain),
  }))
  return {
    dkim: sumUp(signatures),
    signatures,
    spf: {
      state: spfState,
      domain: cutText(domain, MAX_NAME),
      aligned: hasPolicy && spfState === 'pass' ? response.alignment?.spf?.result !== undefined : aligns(domain),
      reason: status.result === 'permerror' ? cutText(status.comment) || 'it is not valid' : '',
    },
    dmarc: judgeDmarc(response, signed.some(({ state }) => state === 'unknown') || spfState === 'unknown'),
  }
}

function sumUp(signatures: readonly SignatureVerdict[]): Verdict {
  if (signatures.some(({ state, aligned }) => state === 'pass' && aligned)) return 'pass'
  if (signatures.some(({ state }) => state === 'unknown')) return 'unknown'
  return signatures.length === 0 ? 'none' : 'fail'
}

type DmarcResponse = Awaited<ReturnType<typeof evaluateDmarc>>['response']

/** A failure is known only where DKIM and SPF are. */
function judgeDmarc(response: DmarcResponse, isOpen: boolean): Authentication['dmarc'] {
  // From has no author, or several: it was changed on the way.
  if (response === false) return { state: 'fail', policy: null }
  const { policy, status } = response
  const asks = policy === 'none' || policy === 'quarantine' || policy === 'reject' ? policy : null
  if (status.result === 'pass' || status.result === 'none') return { state: status.result, policy: asks }
  return { state: status.result === 'fail' && !isOpen ? 'fail' : 'unknown', policy: asks }
}

function readSpfState(result: string, ip: string): Verdict {
  if (result === 'pass') return 'pass'
  if (result === 'temperror' || !isPublicAddress(ip)) return 'unknown'
  return result === 'none' ? 'none' : 'fail'
}

type DkimResult = Awaited<ReturnType<typeof dkimVerify>>['results'][number]

function judgeSignature(
  { status, signingDomain = '', selector = '', signingHeaders }: DkimResult,
  mark: string,
): Omit<SignatureVerdict, 'aligned'> {
  const names = { domain: cutText(signingDomain, MAX_NAME).toLowerCase(), selector: cutText(selector, MAX_NAME) }
  const fields = signingHeaders?.headers ?? []
  const covers = (name: string, text = '') =>
    fields.some((field) => field.toLowerCase().startsWith(`${name}:`) && field.includes(text))
  if (status.result !== 'pass')
    return {
      ...names,
      state: status.result === 'temperror' ? 'unknown' : 'fail',
      coversUnsubscribe: false,
      reason: cutText(status.comment),
    }
  if (!covers('subject', mark))
    return { ...names, state: 'fail', coversUnsubscribe: false, reason: 'subject not signed' }
  const coversUnsubscribe = covers('list-unsubscribe') && covers('list-unsubscribe-post')
  return { ...names, state: 'pass', coversUnsubscribe, reason: '' }
}

/** On one line, as it can be stored. */
const cutText = (text: unknown, most = 200) =>
  typeof text === 'string' ? cleanResponse(text).slice(0, most).toWellFormed() : ''

/** The organizational domain of an address or a name; null: it has none. */
const toOrganization = (text: string) =>
  getDomain(text.slice(text.lastIndexOf('@') + 1).toLowerCase(), { allowPrivateDomains: true })
