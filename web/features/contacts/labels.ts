import type { ContactSource, ContactStatus } from '#contracts/contacts/filter.ts'
import type { Suppression } from '#contracts/contacts/suppressions.ts'

/** The statuses of contacts, as tables, filters and profiles show them. */
export const statusLabels: Record<ContactStatus, string> = {
  subscribed: 'Subscribed',
  pending: 'Pending',
  unsubscribed: 'Unsubscribed',
  bounced: 'Bounced',
  suppressed: 'Suppressed',
}

/** How a contact came into the workspace. */
export const sourceLabels: Record<ContactSource, string> = {
  manual: 'Added manually',
  api: 'API',
  import: 'Import',
  collected: 'Scraper',
  whatsapp: 'WhatsApp',
  form: 'Sign-up form',
  blog: 'Blog',
  sample: 'Sample data',
}

/** The label of a source; one of a later version is shown as it is. */
export const labelSource = (source: string): string => sourceLabels[source as ContactSource] ?? source

/** Why an address is suppressed. */
export const reasonLabels: Record<string, string> = {
  unsubscribe: 'Unsubscribed',
  complaint: 'Reported as spam',
  hard_bounce: 'Address does not exist',
  soft_bounce: 'Bounced repeatedly',
  manual: 'Added by you',
  import: 'Imported',
}

/** Why an address or a number is suppressed. A number that campaigns could not reach may exist: it may have blocked yours. */
export const labelSuppression = ({ reason, channel }: Pick<Suppression, 'reason' | 'channel'>): string =>
  channel === 'whatsapp' && reason === 'hard_bounce' ? 'Could not be reached' : (reasonLabels[reason] ?? reason)
