import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { Empty, Id, IdParams, Moment, PageOf, PageQuery, QueryNumber } from '#contracts/values.ts'
import { LoopbackCheck, LoopbackStatus } from './loopback.ts'

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
  /** false: it was not looked up yet, so its state is unknown. */
  isChecked: z.boolean(),
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

const DmarcCounts = {
  messages: z.number(),
  spfAligned: z.number(),
  dkimAligned: z.number(),
  /** SPF or DKIM passed, aligned: that is DMARC. */
  passed: z.number(),
  /** Signed with one of the domain's keys here, as the receiver found. */
  ours: z.number(),
  quarantined: z.number(),
  rejected: z.number(),
}

/** Who sends as a domain, and whether it passes DMARC, as receivers report it. Days without a report are unknown, not empty. */
export const DmarcSummary = z.object({
  domain: z.string(),
  days: z.number().int(),
  /** Where receivers send reports, for the DMARC record; null: this installation does not listen for them. */
  address: z.string().nullable(),
  /** All that came, by the reporters below. */
  reports: z.number().int(),
  /** Reports without a valid DKIM signature or SPF of their author, and the emails they tell of: these count in nothing below. */
  unverified: z.object({ reports: z.number().int(), messages: z.number() }),
  /** The 50 that report most, by the names they give themselves. */
  reporters: z.array(
    z.object({
      reporter: z.string(),
      reports: z.number().int(),
      /** Those that came without a valid DKIM signature or SPF of their author: anybody may have written them. */
      unverified: z.number().int(),
      lastAt: Moment,
    }),
  ),
  totals: z.object(DmarcCounts),
  /** Addresses that sent; `sources` has the 100 that sent most. */
  sourceCount: z.number().int(),
  sources: z.array(
    z.object({
      sourceIp: z.string(),
      /** In reverse DNS, where it is known: its owner chooses it. */
      name: z.string().nullable(),
      /** Up to three From domains of its emails. */
      headerFrom: z.array(z.string()),
      ...DmarcCounts,
    }),
  ),
  timeline: z.array(z.object({ day: z.iso.date(), ...DmarcCounts })),
})
export type DmarcSummary = z.infer<typeof DmarcSummary>

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
  dmarc: endpoint('GET /api/sending-domains/:id/dmarc', 'user', {
    summary: 'Who sends as a domain, and whether it passes DMARC, by the aggregate reports of receivers',
    params: IdParams,
    query: z.strictObject({ days: QueryNumber(z.number().int().min(1).max(180)).default(30) }),
    response: DmarcSummary,
  }),
  loopback: endpoint('GET /api/sending-domains/:id/loopback', 'user', {
    summary:
      'The last real email that a sending domain was checked with: whether it arrived, and DKIM, SPF, DMARC and TLS',
    params: IdParams,
    response: LoopbackStatus,
  }),
  startLoopback: endpoint('POST /api/sending-domains/:id/loopback', 'user', {
    refusals: [409, 429],
    summary: 'Send a real email through a sender of this domain to this installation, and check it as a receiver does',
    rules:
      '`senderId` is a mail server whose From address is at or below the domain. One check at a time, five an hour. 409 `not_configured` where the operator has not set BOUNCE_SMTP_PORT, `check_running` while an email is on its way for up to 15 minutes, `from_unconfirmed` and `no_sender` where the sender cannot send.',
    status: 202,
    params: IdParams,
    body: z.strictObject({ senderId: Id }),
    response: LoopbackCheck,
  }),
  remove: endpoint('DELETE /api/sending-domains/:id', 'user', {
    summary: 'Delete a sending domain and its keys; its emails are no longer signed',
    params: IdParams,
    response: Empty,
  }),
}
