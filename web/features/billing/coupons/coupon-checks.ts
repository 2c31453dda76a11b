import { useQueries } from '@tanstack/react-query'
import { coupons } from '#contracts/billing/coupons.ts'
import { api } from '#web/api.ts'
import { type PaidName, paidNames } from '../queries.ts'

/** The check of a coupon for one plan. */
export const checkQuery = (code: string, plan: PaidName) => ({
  queryKey: ['coupon', code, plan],
  queryFn: () => api(coupons.check, { body: { code, plan } }),
  retry: false,
  staleTime: 60_000,
})

/** What a coupon does for each paid plan; nothing for an empty code. */
export function useCouponChecks(code: string) {
  const checks = useQueries({ queries: paidNames.map((plan) => ({ ...checkQuery(code, plan), enabled: code !== '' })) })
  const byPlan = Object.fromEntries(paidNames.map((plan, at) => [plan, checks[at]?.data])) as Partial<
    Record<PaidName, Awaited<ReturnType<ReturnType<typeof checkQuery>['queryFn']>>>
  >
  return {
    byPlan,
    isPending: code !== '' && checks.some(({ isPending }) => isPending),
    error: checks.find(({ error }) => error)?.error ?? undefined,
  }
}

export type CouponChecks = ReturnType<typeof useCouponChecks>
