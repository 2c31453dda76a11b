import { parse } from 'tldts'
import { asciiDomain } from '#contracts/email-address.ts'
import { invalid } from '#server/platform/http/refusal.ts'

/** The longest name that is put before a domain, `selector._domainkey.` for one, still fits the 253 characters of DNS. */
const MAX_DOMAIN = 200
/** A name a browser's address bar or a mailbox may be pasted as. */
const WRAPPING = /^https?:\/\/([^/]*)\/?$/i

/**
 * A sending domain as it is stored: in A-labels (IDNA) and lower case, without a dot at the end. Throws Refusal 400 for what
 * is no domain, and for a public suffix, under which strangers have domains of their own.
 */
export function readDomain(written: string): string {
  const name = (WRAPPING.exec(written.trim())?.[1] ?? written.trim()).replace(/\.$/, '')
  if (name.includes('@')) throw invalid('domain', 'is an email address. Enter the part after the @')
  const domain = asciiDomain(name)
  if (domain === null) throw invalid('domain', 'is not a domain name')
  if (domain.length > MAX_DOMAIN) throw invalid('domain', `must have ${MAX_DOMAIN} characters or less`)
  if (!domain.includes('.')) throw invalid('domain', 'must have a dot, as in example.com')
  const { publicSuffix } = parse(domain, { allowPrivateDomains: true })
  if (publicSuffix === domain) throw invalid('domain', 'is a public suffix, under which anybody can have a domain')
  return domain
}

/** The name below a sending domain that leads to RETURN_PATH_HOST. */
export const returnPathName = (domain: string) => `bounces.${domain}`

/** The name below a sending domain that leads to TRACKING_HOST. */
export const trackingName = (domain: string) => `links.${domain}`
