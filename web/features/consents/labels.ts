import type { z } from 'zod'
import type { Consent, ConsentHow, ConsentPurpose } from '#contracts/whatsapp/consents.ts'

/** The kinds of messages a consent covers. */
export const kindWords: Record<ConsentPurpose, string> = {
  marketing: 'marketing',
  utility: 'utility',
  authentication: 'sign-in codes',
}

/** Why a consent does not count any more. */
export const lapseWords: Record<NonNullable<Consent['lapsed']>, string> = {
  other_number: 'For another number',
  opted_out: 'Withdrawn',
  suppressed: 'Number suppressed',
}

/** How consent was given. */
export const howWords: Record<z.infer<typeof ConsentHow>, string> = {
  form: 'On a form or a website',
  conversation: 'In a conversation on WhatsApp',
  paper: 'On paper',
  call: 'By phone',
  in_person: 'In person',
  purchase: 'With a purchase',
  other: 'Another way',
}
