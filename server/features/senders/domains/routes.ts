import type { FastifyInstance } from 'fastify'
import { domains } from '#contracts/senders/domains.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import { showDmarc } from './dmarc/reports.ts'
import * as rules from './domains.ts'
import { showLoopback, startLoopback } from './loopback/loopback.ts'

export function mountDomains(app: FastifyInstance, services: Services): void {
  mount(app, domains.list, ({ caller, query }) => rules.listDomains(services, caller.workspaceId, query))
  mount(app, domains.create, ({ caller, body }) => rules.addDomain(services, caller.workspaceId, body.domain))
  mount(app, domains.get, ({ caller, params }) => rules.showDomain(services, caller.workspaceId, params.id))
  mount(app, domains.check, ({ caller, params }) => rules.recheckDomain(services, caller.workspaceId, params.id))
  mount(app, domains.rotate, ({ caller, params }) => rules.rotateKey(services, caller.workspaceId, params.id))
  mount(app, domains.dmarc, ({ caller, params, query }) =>
    showDmarc(services, caller.workspaceId, params.id, query.days),
  )
  mount(app, domains.loopback, ({ caller, params }) => showLoopback(services, caller.workspaceId, params.id))
  mount(app, domains.startLoopback, ({ caller, params, body }) =>
    startLoopback(services, caller.workspaceId, params.id, body.senderId),
  )
  mount(app, domains.remove, async ({ caller, params }) => {
    await rules.removeDomain(services, caller.workspaceId, params.id)
    return {}
  })
}
