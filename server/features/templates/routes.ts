import type { FastifyInstance } from 'fastify'
import { templates } from '#contracts/templates.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import { stopRenderer } from './renderer.ts'
import { readStarters } from './starters.ts'
import * as rules from './templates.ts'
import { readUpload } from './upload.ts'

export function mountTemplates(app: FastifyInstance, services: Services): void {
  const starters = readStarters()
  app.addHook('onClose', stopRenderer)

  mount(app, templates.list, ({ caller, query }) => rules.listTemplates(services, caller.workspaceId, query))
  mount(app, templates.create, async ({ caller, body, request }) =>
    rules.createTemplate(services, caller.workspaceId, request.isMultipart() ? await readUpload(request) : body),
  )
  mount(app, templates.get, ({ caller, params }) => rules.showTemplate(services, caller.workspaceId, params.id))
  mount(app, templates.update, ({ caller, params, body }) =>
    rules.changeTemplate(services, caller.workspaceId, params.id, body),
  )
  mount(app, templates.remove, async ({ caller, params }) => {
    await rules.removeTemplate(services, caller.workspaceId, params.id)
    return {}
  })
  mount(app, templates.preview, ({ caller, params, body }) =>
    rules.previewTemplate(services, caller.workspaceId, params.id, body.contactId),
  )
  mount(app, templates.draftPreview, ({ caller, body }) =>
    rules.previewSource(services, caller.workspaceId, body, body.contactId),
  )
  mount(app, templates.starters, () => ({ items: starters, nextCursor: null }))
}
