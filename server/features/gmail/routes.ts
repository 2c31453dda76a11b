import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/services.ts'
import { mountAccounts } from './accounts/routes.ts'
import { mountAnalytics } from './analytics/routes.ts'

/** Connecting Gmail accounts, and their open rate and click rate. `judged` waits until what came in is classified. */
export function mountGmail(app: FastifyInstance, services: Services, judged: () => Promise<unknown>): void {
  mountAccounts(app, services)
  mountAnalytics(app, services, judged)
}
