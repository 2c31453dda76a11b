import type { FastifyInstance } from 'fastify'
import { images } from '#contracts/images/images.ts'
import { mount } from '#server/platform/http/mount.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import type { Services } from '#server/services.ts'
import { imageBytes } from './images.ts'
import * as library from './library.ts'

/** Serves stored images at /media, always the same under one address, and mounts the library of a workspace. */
export function mountImages(app: FastifyInstance, services: Pick<Services, 'db' | 'config'>): void {
  app.get('/media/:name', async (request, reply) => {
    const bytes = await imageBytes(services.db, `/media/${(request.params as { name: string }).name}`)
    if (!bytes) throw notFound('Image')
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .type('image/webp')
      .send(bytes)
  })

  mount(app, images.list, ({ caller, query }) => library.listImages(services, caller.workspaceId, query))
  mount(app, images.add, async ({ caller, form }) => {
    const { image, alt } = await form()
    return library.addToLibrary(services, caller.workspaceId, { ...image, ...(alt && { alt }) })
  })
  mount(app, images.change, ({ caller, params, body }) =>
    library.changeImage(services, caller.workspaceId, params.id, body),
  )
  mount(app, images.remove, async ({ caller, params }) => {
    await library.removeImage(services, caller.workspaceId, params.id)
    return {}
  })
}
