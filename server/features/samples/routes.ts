import type { FastifyInstance } from 'fastify'
import { sampleData } from '#contracts/samples/samples.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import { addSamples, removeSamples, showSamples } from './samples.ts'

export function mountSamples(app: FastifyInstance, services: Services): void {
  const { db } = services
  mount(app, sampleData.get, ({ caller }) => showSamples(db, caller.workspaceId))
  mount(app, sampleData.add, ({ caller }) => addSamples(services, caller.workspaceId))
  mount(app, sampleData.remove, async ({ caller }) => {
    await removeSamples(services, caller.workspaceId)
    return {}
  })
}
