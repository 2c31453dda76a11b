import type { LoopbackResult } from '#contracts/senders/loopback.ts'
import { isPublicAddress } from '#server/platform/egress.ts'

type Signature = Pick<LoopbackResult['signatures'][number], 'domain' | 'selector' | 'state' | 'reason'>

/** What was found, without what it adds up to. */
type Findings = Omit<LoopbackResult, 'verdict'>

/** What it adds up to: one sentence about what is wrong, or two with what to do. */
interface Description {
  verdict: LoopbackResult['verdict']
  message: string
}

const fail = (message: string): Description => ({ verdict: 'fail', message })
const warn = (message: string): Description => ({ verdict: 'warning', message })
const unknown = (what: string): Description => ({
  verdict: 'unknown',
  message: `DNS did not respond, so ${what} could not be checked. Send another email later.`,
})

/** Why a signature is not valid, after "because"; '' where it is. */
export function toReason({ domain, selector, state, reason }: Signature): string {
  if (state !== 'fail') return ''
  const known: Record<string, string> = {
    'body hash did not verify': 'the body was changed on the way',
    'bad signature': 'a signed header was changed on the way, or DNS has another key',
    'no key': `DNS has no key at ${selector}._domainkey.${domain}`,
    'subject not signed': 'it does not cover the subject',
  }
  if (reason === '') return 'its key or its algorithm is too weak'
  return known[reason] ?? `the verifier says: ${reason}`
}

/** What is wrong with an email that arrived, the worst first, or that nothing is. */
export function describeResult(found: Findings): Description {
  return describeDkim(found) ?? describeDmarc(found) ?? describeSpf(found) ?? describeRest(found) ?? describePass(found)
}

function describeDkim({ dkim, signatures }: Findings): Description | undefined {
  if (dkim === 'pass') return undefined
  if (dkim === 'unknown') return unknown('DKIM')
  if (dkim === 'none')
    return fail(
      'The email arrived without a DKIM signature. Publish the DKIM record. If DNS has it already, your mail server removes the signature.',
    )
  const broken = signatures.find(({ state, aligned }) => state === 'fail' && aligned)
  if (broken) return fail(`The DKIM signature of ${broken.domain} is not valid, because ${broken.reason}.`)
  return fail(`The email is signed by ${signatures[0]?.domain}, which is not aligned with the From address.`)
}

function describeDmarc({ dmarc }: Findings): Description | undefined {
  if (dmarc.state === 'pass') return undefined
  if (dmarc.state === 'unknown') return unknown('DMARC')
  return dmarc.state === 'none'
    ? fail('The From domain has no DMARC record. Gmail, Yahoo and Outlook require one.')
    : fail('The email fails DMARC: neither DKIM nor SPF passes for the domain of the From address.')
}

function describeSpf({ spf }: Findings): Description | undefined {
  if (spf.state === 'none') return warn(`${spf.domain} has no SPF record. DMARC passes by DKIM alone.`)
  if (spf.reason !== '') return warn(`The SPF record of ${spf.domain} cannot be evaluated: ${spf.reason}.`)
  if (spf.state === 'fail')
    return warn(`The SPF record of ${spf.domain} does not name ${spf.ip}, which delivered the email.`)
  // An address of the own network is told where nothing else is wrong.
  if (spf.state === 'unknown' && isPublicAddress(spf.ip)) return unknown('SPF')
  return undefined
}

function describeRest({ unsubscribeSigned, tls, spf }: Findings): Description | undefined {
  if (!unsubscribeSigned)
    return warn('No valid DKIM signature covers the unsubscribe headers, so receivers show no unsubscribe button.')
  if (tls === null && isPublicAddress(spf.ip))
    return warn('The last connection was not encrypted: the mail server did not use STARTTLS.')
  return undefined
}

function describePass({ spf }: Findings): Description {
  return {
    verdict: 'pass',
    message:
      spf.state === 'pass'
        ? 'The email passes every check.'
        : `The email passes DKIM and DMARC. SPF cannot be judged: the email came from ${spf.ip}, an address in the network of this installation.`,
  }
}
