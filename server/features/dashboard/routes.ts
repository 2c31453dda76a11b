import type { FastifyInstance } from 'fastify'
import { dashboard } from '#contracts/dashboard/dashboard.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import { showActivity } from './activity.ts'
import { showDashboard } from './dashboard.ts'

export function mountDashboard(app: FastifyInstance, { reads }: Services): void {
  mount(app, dashboard.activity, ({ caller, query }) =>
    reads.run(caller, (db) => showActivity(db, caller.workspaceId, query)),
  )
  mount(app, dashboard.show, ({ caller }) => reads.run(caller, (db) => showDashboard(db, caller.workspaceId)))
}
