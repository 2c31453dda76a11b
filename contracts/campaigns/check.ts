import { z } from 'zod'
import { Id } from '#contracts/values.ts'

/** What the check of every channel may find. */
const SHARED_CODES = [
  'quota_used_up',
  'quota_low',
  'no_lists',
  'audience_deleted',
  'segment_incomplete',
  'segments_complex',
  'segments_slow',
  'no_recipients',
  'suppressed',
  'sample_contacts',
] as const

/** What the check of a campaign of emails may find; `content_` and a part of the message: the message lists more. */
export const EmailProblemCode = z.enum([
  ...SHARED_CODES,
  'no_sender',
  'sender_not_configured',
  'sender_failing',
  'no_from',
  'from_unconfirmed',
  /** The From domain asks receivers to quarantine or reject emails that fail DMARC, and these would fail; or it is not known. */
  'dmarc_fail',
  'dmarc_unknown',
  'no_subject',
  'no_content',
  'no_postal_address',
  'content_subject',
  'content_html',
  'content_mjml',
  'content_text',
  'content_sender',
  'sample_text',
  'unknown_attribute',
  /** A merge field without a default says nothing to some of the recipients. */
  'empty_field',
  'link_broken',
  'link_unchecked',
  'rows_being_read',
  'rows_unreadable',
  'bad_rows',
  'no_lawful_basis',
  'link_tags_untracked',
  'link_tag_unused',
])
export type EmailProblemCode = z.infer<typeof EmailProblemCode>

/** The same of a Gmail campaign. */
export const GmailProblemCode = z.enum([
  ...EmailProblemCode.options,
  'account_revoked',
  'account_blocked',
  'replies_unseen',
])
export type GmailProblemCode = z.infer<typeof GmailProblemCode>

/** The same of a WhatsApp campaign. */
export const WhatsAppProblemCode = z.enum([
  ...SHARED_CODES,
  'not_configured',
  'no_account',
  'account_reconnect',
  'account_trouble',
  'tier',
  'no_template',
  'template_not_approved',
  'template_other_account',
  'variable_missing',
  'variable_empty',
  'media_address',
  'no_consent',
  'other_purpose',
  'needs_number',
  'no_phone',
  'us_marketing',
])
export type WhatsAppProblemCode = z.infer<typeof WhatsAppProblemCode>

export const ProblemCode = z.enum([...GmailProblemCode.options, ...WhatsAppProblemCode.options])
export type ProblemCode = z.infer<typeof ProblemCode>

/** What would stop (error) or hurt (warning) a campaign. */
export const Problem = z.object({
  severity: z.enum(['error', 'warning']),
  code: ProblemCode,
  message: z.string(),
  /** Line of the template's source, where it is known. */
  line: z.number().int().optional(),
  /** Of a follow-up: 2 for the first of them. */
  step: z.number().int().optional(),
})

/** Contacts of its lists and segments that a campaign does not go to, each counted once, by the first reason that holds. */
export const Exclusion = z.object({
  reason: z.enum([
    /** On a list or in a segment that the campaign excludes. */
    'excluded',
    /** Sample contacts, who never get a campaign. */
    'sample',
    /** Email: no email address. */
    'no_email',
    /** Unsubscribed, or left every list they were on. */
    'unsubscribed',
    /** In a segment, and have yet to confirm a list. */
    'pending',
    /** Email: bounced. */
    'bounced',
    /** Suppressed by hand or by an import; email: or complained. */
    'suppressed',
    /** Email: they paused emails on their preference page. */
    'paused',
    /** Email: they had as many in the last seven days as they or the workspace want at most. */
    'frequency_cap',
    /** Email: found on web pages, and no lawful basis is recorded. */
    'no_lawful_basis',
    /** WhatsApp: no consent is recorded, or none that counts. */
    'no_consent',
    /** WhatsApp: the consent covers another kind of template, only utility for a marketing one. */
    'other_purpose',
    /** WhatsApp: they stopped messages. */
    'opted_out',
    /** WhatsApp: two campaigns could not reach the number. */
    'unreachable',
    /** WhatsApp: known by Meta's scoped id alone, to which no authentication template can be sent. */
    'needs_number',
    /** WhatsApp: neither a phone number nor a scoped id. */
    'no_phone',
  ]),
  people: z.number().int(),
})
export type Exclusion = z.infer<typeof Exclusion>

/** How many people a campaign would go to, and who is skipped. `problems`: what keeps them from being counted. */
export const AudienceCount = z.object({
  recipients: z.number().int(),
  excluded: z.array(Exclusion),
  /** WhatsApp: a contact who gets it, for a preview. null: nobody does; and over other channels. */
  exampleId: Id.nullable(),
  problems: z.array(Problem),
})
export type AudienceCount = z.infer<typeof AudienceCount>
