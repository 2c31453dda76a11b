import type { CountedUse } from './usage-store.ts'

/** What a plan counts in total, and not by month. */
export type Total = 'contacts' | 'senders'

/** What a plan counts, as texts call it. */
export const countedNames: Record<CountedUse | Total | 'domains', string> = {
  emails: 'emails',
  whatsappMessages: 'WhatsApp messages',
  pages: 'web pages',
  contacts: 'contacts',
  senders: 'senders',
  domains: 'sending domains',
}

/** A number as texts of plans write it: 10,000. */
export const formatCount = (count: number) => count.toLocaleString('en-US')
