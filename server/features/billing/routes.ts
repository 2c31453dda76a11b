import type { FastifyInstance } from 'fastify'
import { billing } from '#contracts/billing.ts'
import { plans } from '#contracts/plans.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import * as store from './store.ts'

export function mountBilling(app: FastifyInstance, { db }: Services): void {
  mount(app, billing.status, async ({ caller }) => {
    const usage = await store.usageThisMonth(db, caller.workspaceId)
    const limits = plans[caller.plan.toLowerCase() as keyof typeof plans] ?? plans.free
    return { currentPlan: caller.plan, renewsAt: null, cancelAtPeriodEnd: false, usage, limits }
  })
}
