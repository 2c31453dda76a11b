import ipaddr from 'ipaddr.js'
import type { Config } from '#server/platform/config.ts'

/** What the SPF record of a provider's customers includes, by the end of its mail server's name. */
const PROVIDERS: readonly (readonly [end: string, include: string])[] = [
  ['amazonaws.com', 'amazonses.com'],
  ['brevo.com', 'spf.brevo.com'],
  ['gmail.com', '_spf.google.com'],
  ['mailgun.org', 'mailgun.org'],
  ['office365.com', 'spf.protection.outlook.com'],
  ['postmarkapp.com', 'spf.mtasv.net'],
  ['sendgrid.net', 'sendgrid.net'],
  ['zoho.com', 'zohomail.com'],
]

const findProvider = (name: string) => PROVIDERS.find(([end]) => name === end || name.endsWith(`.${end}`))

/** Whether a mail server is that of a service which signs for its customers' domains once they have set it up there. */
export const isKnownProvider = (host: string): boolean =>
  findProvider(host.toLowerCase().replace(/\.$/, '')) !== undefined

/** The SPF mechanism that lets a mail server send: what its provider documents, else its own address. */
export function mechanismFor(host: string): string {
  const name = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
  if (ipaddr.isValid(name)) return `${ipaddr.parse(name).kind() === 'ipv4' ? 'ip4' : 'ip6'}:${name}`
  const provider = findProvider(name)
  return provider ? `include:${provider[1]}` : `a:${name}`
}

/** The mechanism for the installation's mail server; undefined: it has none. */
export function ownMechanism({ spfInclude }: Pick<Config, 'spfInclude'>, smtpUrl: string | undefined) {
  if (spfInclude) return `include:${spfInclude}`
  return smtpUrl === undefined ? undefined : mechanismFor(new URL(smtpUrl).hostname)
}
