import type { FastifyInstance } from 'fastify'
import { admin } from '#contracts/admin/admin.ts'
import { summarizeRevenue } from '#server/features/billing/index.ts'
import { mount } from '#server/platform/http/mount.ts'
import { sendCsv } from '#server/platform/http/send-csv.ts'
import type { Services } from '#server/services.ts'
import * as auditing from './audit.ts'
import { createHealthCheck } from './health.ts'
import * as rules from './users.ts'

export function mountAdmin(app: FastifyInstance, services: Services): void {
  const { db } = services
  mount(app, admin.users, ({ query }) => rules.listUsers(db, query))
  mount(app, admin.user, ({ params }) => rules.showUser(db, params.id))
  mount(app, admin.changeUser, ({ caller, params, body }) => rules.changeUser(services, caller, params.id, body))
  mount(app, admin.endSessions, async ({ caller, params }) => ({
    ended: await rules.endSessions(services, caller, params.id),
  }))
  mount(app, admin.sendVerification, async ({ params }) => {
    await rules.sendVerification(services, params.id)
    return { message: 'A new email is on its way, unless five were already sent to this address in the last hour.' }
  })

  mount(app, admin.revenue, () => summarizeRevenue(db))

  const look = createHealthCheck(services)
  mount(app, admin.health, () => look())

  mount(app, admin.audit, ({ query }) => auditing.listAudit(db, query))
  mount(app, admin.exportAudit, ({ query, reply }) => {
    const name = `audit-${new Date().toISOString().slice(0, 10)}`
    return sendCsv(reply, name, auditing.exportAudit(db, query))
  })
}
