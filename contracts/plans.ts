import type { z } from 'zod'
import type { PlanName } from './accounts.ts'

/** What a plan allows in a month; null is without a limit. The one place these numbers stand. */
export interface PlanLimits {
  contacts: number | null
  emails: number
}

export const plans: Record<z.infer<typeof PlanName>, PlanLimits> = {
  free: { contacts: 500, emails: 1_000 },
  starter: { contacts: 10_000, emails: 50_000 },
  pro: { contacts: 100_000, emails: 500_000 },
  business: { contacts: null, emails: 5_000_000 },
}

/** Anything other than free, in whatever case, counts as paid. */
export function isPaid(plan: string): boolean {
  return plan.toLowerCase() !== 'free'
}
