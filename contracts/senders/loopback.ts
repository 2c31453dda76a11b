import { z } from 'zod'
import { Id, Moment } from '#contracts/values.ts'

/** `none`: there is no signature, or no record; `unknown`: DNS did not say, or it cannot be told. */
const Verdict = z.enum(['pass', 'fail', 'none', 'unknown'])

/** How an email arrived at this installation. */
export const LoopbackResult = z.object({
  /** `pass`: nothing is wrong; `fail`: DKIM or DMARC does not pass; `warning`: both do, and something should be fixed; `unknown`: DNS did not say. */
  verdict: z.enum(['pass', 'warning', 'fail', 'unknown']),
  /** `pass`: a valid signature of a domain that is aligned with From. */
  dkim: Verdict,
  /** The first five. */
  signatures: z.array(
    z.object({
      domain: z.string(),
      selector: z.string(),
      state: z.enum(['pass', 'fail', 'unknown']),
      /** Its domain belongs to that of the From address. */
      aligned: z.boolean(),
      /** Why it did not pass; empty: it did. */
      reason: z.string(),
    }),
  ),
  /** Whether `ip`, which delivered the email, may send for the domain of `mailFrom`. */
  spf: z.object({
    state: Verdict,
    ip: z.string(),
    mailFrom: z.string(),
    domain: z.string(),
    aligned: z.boolean(),
    /** Why the record cannot be evaluated; empty: it can, or there is none. */
    reason: z.string(),
  }),
  /** `policy`: what receivers are asked to do with emails that fail; null: there is no record, or DNS did not say. */
  dmarc: z.object({ state: Verdict, policy: z.enum(['none', 'quarantine', 'reject']).nullable() }),
  /** The TLS version of the last connection; null: it was not encrypted. */
  tls: z.string().nullable(),
  /** Whether a valid signature covers the headers for unsubscribing (RFC 8058). */
  unsubscribeSigned: z.boolean(),
  /** From handing it to the mail server to its arrival. */
  seconds: z.number(),
})
export type LoopbackResult = z.infer<typeof LoopbackResult>

/** A real email that a sender sent to this installation itself. */
export const LoopbackCheck = z.object({
  /** `expired`: it did not arrive within 15 minutes. `failed`: the mail server did not take it. */
  state: z.enum(['sending', 'sent', 'arrived', 'failed', 'expired']),
  senderId: Id,
  from: z.string(),
  /** An address that only this installation can make. Nobody can choose it. */
  to: z.string(),
  /** One sentence: what is wrong, or that everything passes. */
  message: z.string(),
  /** What the mail server said when it took it; null: nothing yet. */
  response: z.string().nullable(),
  startedAt: Moment,
  expiresAt: Moment,
  arrivedAt: Moment.nullable(),
  /** null: it has not arrived. */
  result: LoopbackResult.nullable(),
})
export type LoopbackCheck = z.infer<typeof LoopbackCheck>

/** The last check of a domain with a real email. */
export const LoopbackStatus = z.object({
  /** Where such emails arrive; null: this installation listens for no email. */
  host: z.string().nullable(),
  check: LoopbackCheck.nullable(),
})
export type LoopbackStatus = z.infer<typeof LoopbackStatus>
