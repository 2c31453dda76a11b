import type { FastifyInstance } from 'fastify'
import { blocks, brand } from '#contracts/templates/parts.ts'
import { templates } from '#contracts/templates/templates.ts'
import { mount } from '#server/platform/http/mount.ts'
import { wholeList } from '#server/platform/http/page.ts'
import type { Services } from '#server/services.ts'
import { takeStarter } from './dress.ts'
import * as parts from './email-parts.ts'
import { findBrand } from './email-parts-store.ts'
import { exportTemplate } from './export.ts'
import { stopRenderer } from './rendering/renderer.ts'
import { readStarters } from './starters.ts'
import * as rules from './templates.ts'
import { sendTest } from './test-email.ts'
import { readUpload } from './upload/upload.ts'
import { nameVersion } from './versions.ts'

/** All visitors of the demo take their turns as one workspace, so that they never delay one. */
const DEMO = 'demo'

export function mountTemplates(app: FastifyInstance, services: Services): void {
  const starters = readStarters()
  app.addHook('onClose', stopRenderer)

  mount(app, templates.list, ({ caller, query }) => rules.listTemplates(services, caller.workspaceId, query))
  mount(app, templates.create, async ({ caller, body, form }) =>
    rules.createTemplate(
      services,
      caller.workspaceId,
      form
        ? await readUpload(services, caller.workspaceId, await form())
        : await takeStarter(services.db, caller.workspaceId, starters, body),
    ),
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
    rules.previewTemplate(services, caller.workspaceId, params.id, body),
  )
  mount(app, templates.draftPreview, ({ caller, body }) =>
    rules.previewSource(services, caller.workspaceId, body, body),
  )
  mount(app, templates.canvas, ({ caller, body }) => rules.renderForCanvas(caller.workspaceId, body.mjml))
  mountVersions(app, services)
  mountParts(app, services)
  mount(app, templates.export, async ({ caller, params, query, reply }) => {
    const row = await rules.find(services, caller.workspaceId, params.id)
    const { name, type, content } = await exportTemplate(services, caller.workspaceId, row, query.format)
    return reply
      .type(type)
      .header(
        'content-disposition',
        `attachment; filename="template.${query.format}"; filename*=UTF-8''${encodeURIComponent(name)}`,
      )
      .send(content)
  })
  mount(app, templates.test, async ({ caller, params, body }) =>
    sendTest(services, caller, await rules.find(services, caller.workspaceId, params.id), body),
  )
  mount(app, templates.starters, () => wholeList(starters))
  mount(app, templates.demoCanvas, ({ body }) => rules.renderForCanvas(DEMO, body.mjml))
  mount(app, templates.demoPreview, ({ body }) => rules.previewDemo(services, DEMO, body))
}

function mountVersions(app: FastifyInstance, services: Services): void {
  mount(app, templates.versions, ({ caller, params }) => rules.listVersions(services, caller.workspaceId, params.id))
  mount(app, templates.showVersion, ({ caller, params }) =>
    rules.showVersion(services, caller.workspaceId, params.id, params.versionId),
  )
  mount(app, templates.nameVersion, async ({ caller, params, body }) => {
    await rules.find(services, caller.workspaceId, params.id)
    return nameVersion(services.db, caller.workspaceId, params.id, params.versionId, body.label.trim())
  })
  mount(app, templates.restore, ({ caller, params }) =>
    rules.restoreVersion(services, caller.workspaceId, params.id, params.versionId),
  )
}

function mountParts(app: FastifyInstance, services: Services): void {
  mount(app, blocks.list, ({ caller }) => parts.listBlocks(services, caller.workspaceId))
  mount(app, blocks.create, ({ caller, body }) => parts.createBlock(services, caller.workspaceId, body))
  mount(app, blocks.change, ({ caller, params, body }) =>
    parts.renameBlock(services, caller.workspaceId, params.id, body.name),
  )
  mount(app, blocks.remove, async ({ caller, params }) => {
    await parts.removeBlock(services, caller.workspaceId, params.id)
    return {}
  })
  mount(app, brand.get, ({ caller }) => findBrand(services.db, caller.workspaceId))
  mount(app, brand.set, ({ caller, body }) => parts.setBrand(services, caller.workspaceId, body))
}
