import type { z } from 'zod'
import type { ConsentHow, ConsentPurpose } from '#contracts/whatsapp/consents.ts'

/** The kinds of messages a consent covers. */
export const kindWords: Record<ConsentPurpose, string> = {
  marketing: 'marketing',
  utility: 'utility',
  authentication: 'sign-in codes',
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
