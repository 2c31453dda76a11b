import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { admin } from '#contracts/admin/admin.ts'
import { billing, type SubscriptionStatus } from '#contracts/billing/billing.ts'
import { coupons } from '#contracts/billing/coupons.ts'
import { api } from '#web/api.ts'
import { storeResult } from '#web/query.ts'

/** The plans that can be paid for, smallest first. */
export const paidNames = ['starter', 'pro', 'business'] as const
export type PaidName = (typeof paidNames)[number]

/** The last invoices. */
export function useInvoices() {
  return useQuery({ queryKey: ['subscription', 'invoices'], queryFn: () => api(billing.invoices) })
}

/** The last refunds and disputes. */
export function useReversals() {
  return useQuery({ queryKey: ['subscription', 'reversals'], queryFn: () => api(billing.reversals) })
}

/** Something that changes the subscription: the new state is shown at once, invoices and user are read anew. */
export function useSubscriptionAction<T>(act: (given: T) => Promise<SubscriptionStatus>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async (status) => {
      storeResult(queries, ['subscription'], status)
      await queries.invalidateQueries({ queryKey: ['subscription', 'invoices'] })
      await queries.invalidateQueries({ queryKey: ['user'] })
    },
  })
}

/** Every coupon; admins only. */
export function useCoupons() {
  return useQuery({ queryKey: ['admin', 'coupons'], queryFn: () => api(coupons.list) })
}

/** What comes in; admins only. */
export function useRevenue() {
  return useQuery({ queryKey: ['admin', 'revenue'], queryFn: () => api(admin.revenue) })
}
