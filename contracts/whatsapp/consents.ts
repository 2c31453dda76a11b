import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import { GivenMoment, Id, Line, Moment, PageOf, PageQuery } from '#contracts/values.ts'

/** How consent was given: over a form, by writing to us, on paper, in a call, face to face, with a purchase. */
export const ConsentHow = z.enum(['form', 'conversation', 'paper', 'call', 'in_person', 'purchase', 'other'])

/** What a consent covers, in Meta's categories of templates. */
export const ConsentPurpose = z.enum(['marketing', 'utility', 'authentication'])
export type ConsentPurpose = z.infer<typeof ConsentPurpose>

export const Consent = z.object({
  id: Id,
  contactId: Id,
  /** The number it was given for; empty where the person is known by Meta's scoped id alone. */
  phone: z.string(),
  bsuid: z.string().nullable(),
  how: ConsentHow,
  /** In words, as the person was told. */
  purpose: z.string(),
  /** The kinds of templates it covers; null: recorded before kinds were told apart, it covers all as it did. */
  covers: z.array(ConsentPurpose).nullable(),
  wording: z.string(),
  evidence: z.string(),
  givenAt: Moment,
  recordedAt: Moment,
  recordedBy: z.string(),
  /** Whether it still counts: for the number the contact has now, and not taken back since. */
  counts: z.boolean(),
  /** Why it does not: given for another number, the person opted out, or the number is suppressed for another reason. */
  lapsed: z.enum(['other_number', 'opted_out', 'suppressed']).nullable(),
})
export type Consent = z.infer<typeof Consent>

const text = (max: number) => z.string().trim().max(max)
const Proof = {
  how: ConsentHow,
  purpose: Line(300).min(3, 'is required: what may be sent to them?'),
  covers: z
    .array(ConsentPurpose)
    .min(1, 'needs at least one: what did they agree to?')
    .transform((kinds) => [...new Set(kinds)].toSorted()),
  wording: text(2_000).default(''),
  evidence: text(1_000).default(''),
  givenAt: GivenMoment,
}

/** A consent as it is recorded: how it was given, for what, when, in which words, and where the proof is. */
export const ConsentProof = z.strictObject(Proof)

export const whatsappConsents = {
  list: endpoint('GET /api/whatsapp/consents', 'user', {
    summary: 'List recorded consents, newest first',
    query: PageQuery.extend({ contactId: Id.optional() }),
    response: PageOf(Consent),
  }),
  create: endpoint('POST /api/whatsapp/consents', 'user', {
    rules: '`givenAt` is not in the future.',
    summary: 'Record consent of up to 1,000 contacts with one proof. Records are never changed',
    status: 201,
    body: z.strictObject({ contactIds: z.array(Id).min(1).max(1_000), ...Proof }),
    response: z.object({
      recorded: z.number().int(),
      /** Contacts without a phone number and a scoped id, or who took their consent back themselves: nothing was recorded for them. */
      skipped: z.array(z.object({ contactId: Id, reason: z.enum(['no_phone', 'opted_out', 'unknown']) })),
    }),
  }),
  state: endpoint('GET /api/whatsapp/consents/summary', 'user', {
    summary: 'Count the members of lists that have a phone number, have a valid consent, or opted out',
    query: z.object({
      listIds: z
        .string()
        .max(2_000)
        .regex(/^([1-9]\d{0,17})?(,([1-9]\d{0,17})?)*$/, 'are ids, comma-separated')
        .describe('ids, comma-separated'),
    }),
    response: z.object({
      members: z.number().int(),
      withPhone: z.number().int(),
      /** Known to WhatsApp by Meta's scoped id alone: everything but authentication templates reaches them. */
      scopedOnly: z.number().int(),
      consented: z.number().int(),
      /** Of those who consented: whose consent covers each kind of template. */
      covers: z.object({ marketing: z.number().int(), utility: z.number().int(), authentication: z.number().int() }),
      /** They opted out, could not be reached, or were suppressed by hand. */
      suppressed: z.number().int(),
      /** Found by the collector and without a consent of their own. */
      collected: z.number().int(),
    }),
  }),
}
