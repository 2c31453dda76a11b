import type { FastifyInstance } from 'fastify'
import { system } from '#contracts/system/system.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import { VERSION } from '#server/version.ts'

export function mountSystem(app: FastifyInstance, { config, sandbox, google }: Services): void {
  mount(app, system.info, () => ({
    sandbox,
    google: google !== undefined,
    publicUrl: config.publicUrl,
    version: VERSION,
  }))
}
