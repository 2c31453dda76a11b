import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { spf } from 'mailauth/lib/spf/index.js'
import { getDomain } from 'tldts'
import { nameServers } from '#server/platform/dns.ts'

/** Who brought an email: the address of the client, its HELO name, and MAIL FROM. */
export interface Delivery {
  ip: string
  helo: string
  mailFrom: string
}

/**
 * The domain that vouches for an email (DMARC, relaxed): the organizational domain of From where a valid DKIM signature or a pass
 * of SPF is of the same one; null: nobody does, or DNS did not say. `delivery`: where we took it from the client ourselves.
 */
export async function findAuthor(
  raw: Uint8Array,
  servers: readonly string[],
  delivery: Delivery | undefined,
): Promise<string | null> {
  const dns = nameServers(servers)
  const resolver = (name: string, type: string) => dns.resolve(name, type as 'TXT')
  const { results, headerFrom, fromFields } = await dkimVerify(Buffer.from(raw), { resolver })
  // Two authors are none: nobody can say who of them is meant.
  const [address, second] = headerFrom
  const from = address?.slice(address.lastIndexOf('@') + 1).toLowerCase() ?? ''
  const author = getDomain(from, { allowPrivateDomains: true })
  if (!author || fromFields !== 1 || second !== undefined) return null
  if (results.some(({ status, signingDomain }) => status.result === 'pass' && isWithin(signingDomain, author)))
    return author
  if (!delivery) return null
  const { ip, helo, mailFrom } = delivery
  const { status, domain } = await spf({ sender: mailFrom || `postmaster@${helo}`, ip, helo, resolver })
  return status.result === 'pass' && isWithin(domain, author) ? author : null
}

const isWithin = (domain: string | undefined, author: string) =>
  getDomain(domain ?? '', { allowPrivateDomains: true }) === author
