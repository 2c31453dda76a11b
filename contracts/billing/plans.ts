import type { z } from 'zod'
import type { PlanName } from '#contracts/accounts/accounts.ts'

type Name = z.infer<typeof PlanName>

/** One plan: what it costs, what it allows in a month, which tools it opens. */
export interface Plan {
  title: string
  /** Whom it is for, in one sentence. */
  purpose: string
  /** Price in cents of `currency`: of a month, and of a whole year paid at once (twelve months for ten). */
  price: { month: number; year: number }
  /** The maximum number of contacts; null is without a limit. */
  contacts: number | null
  /** Emails a month. */
  emails: number
  /** WhatsApp messages a month. */
  whatsappMessages: number
  /** Mail servers and accounts to send with, the default one included. */
  senders: number
  /** Sending domains with DKIM keys. */
  domains: number
  /** Web pages read by the scrapers a month. */
  pages: number
  /** People who sign in to one workspace. Sharing one is not built yet, so it is one on every plan. */
  seats: number
}

/** ISO 4217; every price is in it. */
export const currency = 'USD'

/** The plans, smallest first: the one place where prices and limits stand, for the public pages, the limits and billing. */
export const plans: Record<Name, Plan> = {
  free: {
    title: 'Free',
    purpose: 'For trying it out, and for a small list.',
    price: { month: 0, year: 0 },
    contacts: 500,
    emails: 1_000,
    whatsappMessages: 250,
    senders: 2,
    domains: 3,
    pages: 0,
    seats: 1,
  },
  starter: {
    title: 'Starter',
    purpose: 'For one person who sends every week.',
    price: { month: 2_900, year: 29_000 },
    contacts: 10_000,
    emails: 50_000,
    whatsappMessages: 2_000,
    senders: 5,
    domains: 10,
    pages: 10_000,
    seats: 1,
  },
  pro: {
    title: 'Pro',
    purpose: 'For large lists and several senders.',
    price: { month: 14_900, year: 149_000 },
    contacts: 100_000,
    emails: 500_000,
    whatsappMessages: 20_000,
    senders: 20,
    domains: 50,
    pages: 100_000,
    seats: 1,
  },
  business: {
    title: 'Business',
    purpose: 'For very large lists and high volume.',
    price: { month: 59_900, year: 599_000 },
    contacts: null,
    emails: 5_000_000,
    whatsappMessages: 200_000,
    senders: 100,
    domains: 200,
    pages: 1_000_000,
    seats: 1,
  },
}

/** What a plan has, for comparison; `paid` tools open with any plan but free. */
export const planTools: { name: string; paid: boolean }[] = [
  { name: 'Email Sender, templates and imports', paid: false },
  { name: 'Open and click reports, with bots counted separately', paid: false },
  { name: 'WhatsApp Sender', paid: false },
  { name: 'API and CSV export', paid: false },
  { name: 'Gmail Sender', paid: true },
  { name: 'Email Scraper', paid: true },
  { name: 'Number Scraper', paid: true },
]

/** Days a first paid plan is free of charge. */
export const trialDays = 14

const names = Object.keys(plans) as Name[]

/** The known plan of this name, in whatever case. */
export function planNamed(name: string): Name | undefined {
  return names.find((known) => known === name.toLowerCase())
}

/** The limits of a plan; a paid one by another name has those of the smallest paid plan. */
export function planLimits(name: string): Plan {
  return plans[planNamed(name) ?? (isPaid(name) ? 'starter' : 'free')]
}

/** Where a plan stands among the others: free is 0. */
export function planRank(name: string): number {
  return names.indexOf(planNamed(name) ?? (isPaid(name) ? 'starter' : 'free'))
}

/** Anything other than free, in whatever case, counts as paid. */
export function isPaid(plan: string): boolean {
  return plan.toLowerCase() !== 'free'
}
