import type { z } from 'zod'
import type { PlanName } from './accounts.ts'

type Name = z.infer<typeof PlanName>

/** One plan: what it costs, what it allows in a month, which tools it opens. */
export interface Plan {
  title: string
  /** Whom it is for, in one sentence. */
  purpose: string
  /** Price in cents of `currency`: of a month, and of a whole year paid at once (twelve months for ten). */
  price: { month: number; year: number }
  /** Contacts kept; null is without a limit. */
  contacts: number | null
  /** E-mails a month. */
  emails: number
  /** WhatsApp messages a month. */
  whatsappMessages: number
}

/** ISO 4217; every price is in it. */
export const currency = 'USD'

/** The plans, smallest first: the one place where prices and limits stand, for the public pages, the limits and billing. */
export const plans: Record<Name, Plan> = {
  free: {
    title: 'Free',
    purpose: 'To try everything, and for a small list for ever.',
    price: { month: 0, year: 0 },
    contacts: 500,
    emails: 1_000,
    whatsappMessages: 250,
  },
  starter: {
    title: 'Starter',
    purpose: 'For one person who writes every week.',
    price: { month: 2_900, year: 29_000 },
    contacts: 10_000,
    emails: 50_000,
    whatsappMessages: 2_000,
  },
  pro: {
    title: 'Pro',
    purpose: 'For a team with a list that matters.',
    price: { month: 14_900, year: 149_000 },
    contacts: 100_000,
    emails: 500_000,
    whatsappMessages: 20_000,
  },
  business: {
    title: 'Business',
    purpose: 'For large lists and more than one brand.',
    price: { month: 59_900, year: 599_000 },
    contacts: null,
    emails: 5_000_000,
    whatsappMessages: 200_000,
  },
}

/** What a plan has, for comparison; `paid` tools open with any plan but free. */
export const planTools: { name: string; paid: boolean }[] = [
  { name: 'Email Sender, templates and imports', paid: false },
  { name: 'Open and click reports, machines apart', paid: false },
  { name: 'WhatsApp Sender', paid: false },
  { name: 'API and CSV export', paid: false },
  { name: 'Gmail Sender', paid: true },
  { name: 'Email Scraper', paid: true },
  { name: 'Number Scraper', paid: true },
]

/** Anything other than free, in whatever case, counts as paid. */
export function isPaid(plan: string): boolean {
  return plan.toLowerCase() !== 'free'
}
