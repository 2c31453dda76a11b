import { currency, plans } from '#contracts/billing/plans.ts'

/** Every plan with its name, smallest first. */
export const planList = Object.entries(plans).map(([name, plan]) => ({ name: name as keyof typeof plans, ...plan }))

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency, maximumFractionDigits: 0 })
const numbers = new Intl.NumberFormat('en-US')

/** Cents -> "$29"; the prices are whole. */
export const price = (cents: number): string => money.format(cents / 100)

/** 10000 -> "10,000"; null is "No limit". */
export const limit = (count: number | null): string => (count === null ? 'No limit' : numbers.format(count))
