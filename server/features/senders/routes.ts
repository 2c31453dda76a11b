import type { FastifyInstance } from 'fastify'
import { senders } from '#contracts/senders/senders.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import { mountDomains } from './domains/routes.ts'
import { mountCertificateCheck, mountHostCheck } from './domains/tracking-host.ts'
import { mountConfirmation } from './from-address.ts'
import { setPlan } from './ramp/ramp.ts'
import * as rules from './senders.ts'
import { testSender } from './trying.ts'

export function mountSenders(app: FastifyInstance, services: Services): void {
  mount(app, senders.list, ({ caller, query }) => rules.listSenders(services, caller.workspaceId, query))
  mount(app, senders.create, ({ caller, body }) => rules.createSender(services, caller.workspaceId, body))
  mount(app, senders.get, ({ caller, params }) => rules.showSender(services, caller.workspaceId, params.id))
  mount(app, senders.update, ({ caller, params, body }) =>
    rules.changeSender(services, caller.workspaceId, params.id, body),
  )
  mountConfirmation(app, services)
  mountDomains(app, services)
  mountHostCheck(app, services)
  mountCertificateCheck(app, services)
  mount(app, senders.confirmation, ({ caller, params }) => rules.confirmFrom(services, caller.workspaceId, params.id))
  mount(app, senders.remove, async ({ caller, params }) => {
    await rules.removeSender(services, caller.workspaceId, params.id)
    return {}
  })
  mount(app, senders.release, ({ caller, params }) => rules.releaseSender(services, caller.workspaceId, params.id))
  mount(app, senders.startRamp, ({ caller, params, body }) =>
    setPlan(services, caller.workspaceId, params.id, body.days),
  )
  mount(app, senders.stopRamp, ({ caller, params }) => setPlan(services, caller.workspaceId, params.id, null))
  mount(app, senders.test, ({ caller, params, body }) => testSender(services, caller, params.id, body.to))
}
