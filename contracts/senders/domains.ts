import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Id, IdParams, Moment, PageOf, PageQuery } from '#contracts/values.ts'

/** `unknown`: the name servers did not say, so nothing is concluded. */
export const DomainState = z.enum(['pending', 'verified', 'failing', 'unknown'])
export type DomainState = z.infer<typeof DomainState>

/** A record that the domain's DNS is to have, and what it has. */
export const DomainRecord = z.object({
  purpose: z.enum(['dkim', 'spf', 'dmarc', 'return_path', 'tracking']),
  type: z.enum(['TXT', 'CNAME']),
  name: z.string(),
  value: z.string(),
  /** What is published there now, as far as it was looked at. */
  found: z.array(z.string()),
  state: z.enum(['pass', 'fail', 'missing', 'unknown']),
  /** One sentence: what is wrong, or what the record does. */
  message: z.string(),
  /** Whether the domain is verified only with it. */
  required: z.boolean(),
  /** Of a DKIM record: whether its key waits for DNS, signs, or has signed emails that may still be on their way. */
  key: z.enum(['next', 'active', 'retired']).nullable(),
})
export type DomainRecord = z.infer<typeof DomainRecord>

/** A domain this workspace sends from. Private keys never come back. */
export const SendingDomain = z.object({
  id: Id,
  /** In A-labels and lower case. */
  domain: z.string(),
  state: DomainState,
  /** Whether emails from this domain are signed with its DKIM key. */
  signs: z.boolean(),
  records: z.array(DomainRecord),
  /** Whether the records are looked up in the DNS of the sandbox instead of the internet's. */
  sandbox: z.boolean(),
  checkedAt: Moment.nullable(),
  nextCheckAt: Moment,
  createdAt: Moment,
})
export type SendingDomain = z.infer<typeof SendingDomain>

export const domains = {
  list: endpoint('GET /api/sending-domains', 'user', {
    summary: 'List the sending domains of this workspace',
    query: PageQuery,
    response: PageOf(SendingDomain),
  }),
  create: endpoint('POST /api/sending-domains', 'user', {
    refusals: [402, 409, 429],
    summary: 'Add a sending domain; the response has the DNS records to publish. Only DNS verifies it',
    status: 201,
    gives: { under: ['/api/sending-domains', '/api/sandbox/dns'], pointer: '/id' },
    body: z.strictObject({ domain: z.string().trim().min(1, 'is required').max(1_000) }),
    response: SendingDomain,
  }),
  get: endpoint('GET /api/sending-domains/:id', 'user', {
    summary: 'Get a sending domain with its DNS records as the last check found them',
    params: IdParams,
    response: SendingDomain,
  }),
  check: endpoint('POST /api/sending-domains/:id/check', 'user', {
    refusals: [429],
    summary: 'Look up the DNS records of a sending domain now',
    params: IdParams,
    response: SendingDomain,
  }),
  rotate: endpoint('POST /api/sending-domains/:id/rotate', 'user', {
    refusals: [429],
    summary:
      'Create a new DKIM key under another selector; the old one signs until DNS has the new one, and its record is kept for a week more',
    params: IdParams,
    response: SendingDomain,
  }),
  remove: endpoint('DELETE /api/sending-domains/:id', 'user', {
    summary: 'Delete a sending domain and its keys; its emails are no longer signed',
    params: IdParams,
    response: Empty,
  }),
}
