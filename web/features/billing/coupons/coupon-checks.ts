import { useQueries } from '@tanstack/react-query'
import { coupons } from '#contracts/billing/coupons.ts'
import { api, errorMessage } from '#web/api.ts'
import { queryClient } from '#web/query.ts'
import { type PaidName, paidNames } from '../queries.ts'

const checkQuery = (code: string, plan: PaidName) => ({
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

/** Why a coupon does not apply to a plan, as a sentence; undefined when it does. */
export async function describeCouponProblem(code: string, plan: PaidName): Promise<string | undefined> {
  try {
    const check = await queryClient.fetchQuery(checkQuery(code, plan))
    return check.valid ? undefined : check.message
  } catch (error) {
    return errorMessage(error)
  }
}
