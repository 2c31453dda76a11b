import { isPaid } from '#contracts/billing/plans.ts'

/** The first letters of the first and the last name; U without a name. */
export function toInitials(name: string | undefined): string {
  const words = (name ?? '').trim().split(/\s+/).filter(Boolean)
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) =>
    word ? String.fromCodePoint(word.codePointAt(0) ?? 85) : '',
  )
  return initials.join('').toUpperCase() || 'U'
}

/** 'Pro Plan', or 'Free User' on the free plan and while nothing is known. */
export function planLabel(plan: string | undefined): string {
  if (!plan || !isPaid(plan)) return 'Free User'
  return `${plan.charAt(0).toUpperCase()}${plan.slice(1)} Plan`
}
