import type { FastifyInstance } from 'fastify'
import { sandboxDns } from '#contracts/sandbox/dns.ts'
import type { DomainRecord } from '#contracts/senders/domains.ts'
import { recheckDomain, showDomain } from '#server/features/senders/index.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'

/** The emulator's zone, which takes the records that a customer would enter at their DNS provider. */
export interface SandboxDns {
  publish(records: readonly Pick<DomainRecord, 'type' | 'name' | 'value'>[]): void
  withdraw(records: readonly Pick<DomainRecord, 'type' | 'name' | 'value'>[]): void
}

/** Mounts what publishes records in the DNS of the sandbox. The check that follows asks it over the real protocol. */
export function mountSandboxDns(app: FastifyInstance, services: Services, dns: SandboxDns): void {
  mount(app, sandboxDns.publish, async ({ caller, params }) => {
    dns.publish((await showDomain(services, caller.workspaceId, params.id)).records)
    return recheckDomain(services, caller.workspaceId, params.id)
  })
  mount(app, sandboxDns.withdraw, async ({ caller, params }) => {
    dns.withdraw((await showDomain(services, caller.workspaceId, params.id)).records)
    return recheckDomain(services, caller.workspaceId, params.id)
  })
}
