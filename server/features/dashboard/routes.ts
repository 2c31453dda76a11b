import type { FastifyInstance } from 'fastify'
import { dashboard } from '#contracts/dashboard/dashboard.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import { showActivity } from './activity.ts'
import { showDashboard } from './dashboard.ts'

export function mountDashboard(app: FastifyInstance, { db }: Services): void {
  mount(app, dashboard.activity, ({ caller, query }) => showActivity(db, caller.workspaceId, query))
  mount(app, dashboard.show, ({ caller }) => showDashboard(db, caller.workspaceId))
}
