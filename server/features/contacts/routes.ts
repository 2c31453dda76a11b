import type { FastifyInstance } from 'fastify'
import { contactsBulk, jobs } from '#contracts/contacts/bulk.ts'
import { contacts } from '#contracts/contacts/contacts.ts'
import { events } from '#contracts/contacts/events.ts'
import { fields } from '#contracts/contacts/fields.ts'
import { imports } from '#contracts/contacts/imports.ts'
import { lists } from '#contracts/contacts/lists.ts'
import { contactMerges } from '#contracts/contacts/merges.ts'
import { segments } from '#contracts/contacts/segments.ts'
import { suppressions } from '#contracts/contacts/suppressions.ts'
import { tags } from '#contracts/contacts/tags.ts'
import { contactTimeline } from '#contracts/contacts/timeline.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Caller, mount } from '#server/platform/http/mount.ts'
import { takePage } from '#server/platform/http/page.ts'
import { sendCsv } from '#server/platform/http/send-csv.ts'
import type { Services } from '#server/services.ts'
import { requireContacts, startBulk, startUndo } from './bulk/bulk.ts'
import { listJobs, showJob } from './bulk/bulk-jobs.ts'
import { askMembersAgain } from './confirmations/asking.ts'
import { mountConfirmations } from './confirmations/confirm-page.ts'
import { listContacts } from './contact-list.ts'
import * as rules from './contacts.ts'
import { eraseContact } from './erasure/erasure.ts'
import { listEventNames, recordEvent } from './events/events.ts'
import { type ExportMatch, exportContacts } from './export.ts'
import * as defining from './fields/fields.ts'
import { fieldNames } from './fields/fields-store.ts'
import { mountForms } from './forms/form-routes.ts'
import * as importing from './imports/imports.ts'
import { queueClearing, queueClearingField, queueClearingTag } from './jobs.ts'
import { checkTemplate, withProblem, withProblems } from './lists/list-confirmations.ts'
import * as listing from './lists/lists.ts'
import * as merging from './merging/merges.ts'
import { filterMatch, queryMatch } from './segments/match.ts'
import { requireReferences } from './segments/references.ts'
import * as segmenting from './segments/segments.ts'
import { withinTime } from './segments/within-time.ts'
import { attributeNames } from './store.ts'
import * as suppressing from './suppressions/suppressions.ts'
import * as tagging from './tags/tags.ts'
import { exportContact } from './timeline/contact-export.ts'
import { showTimeline } from './timeline/timeline.ts'

interface PageQuery {
  limit: number
  cursor?: string | undefined
  q?: string | undefined
}

/** A page of a list: a cursor is the last id of the page before. */
function toPageQuery({ limit, cursor, q }: PageQuery): { limit: number; before?: string; q?: string } {
  const text = q?.trim()
  return { limit, ...(cursor && { before: cursor }), ...(text && { q: text }) }
}

function mountLists(app: FastifyInstance, services: Services): void {
  const { db, queue } = services
  mount(app, lists.list, async ({ caller, query }) => {
    const { limit, before } = toPageQuery(query)
    const rows = await listing.listPage(db, caller.workspaceId, { limit: limit + 1, ...(before && { after: before }) })
    const { items, nextCursor } = takePage(rows, limit)
    return { items: await withProblems(services, caller.workspaceId, items), nextCursor }
  })
  mount(app, lists.create, async ({ caller, body }) => {
    await checkTemplate(services, caller.workspaceId, body.confirmationTemplateId)
    return listing.createList(db, caller.workspaceId, body)
  })
  mount(app, lists.get, async ({ caller, params }) =>
    withProblem(services, caller.workspaceId, await listing.showList(db, caller.workspaceId, params.id)),
  )
  mount(app, lists.update, async ({ caller, params, body }) => {
    await listing.showList(db, caller.workspaceId, params.id)
    await checkTemplate(services, caller.workspaceId, body.confirmationTemplateId)
    return withProblem(services, caller.workspaceId, await listing.changeList(db, caller.workspaceId, params.id, body))
  })
  mount(app, lists.remove, async ({ caller, params }) => {
    await db.transaction().execute(async (db) => {
      await listing.removeList(db, caller.workspaceId, params.id)
      await queueClearing(queue, caller.workspaceId, params.id, db)
    })
    return {}
  })
  mount(app, lists.confirmations, async ({ caller, params }) => ({
    queued: await askMembersAgain(db, caller.workspaceId, params.id),
  }))
}

function mountTags(app: FastifyInstance, { db, queue }: Services): void {
  mount(app, tags.list, async ({ caller, query }) => {
    const { limit, before } = toPageQuery(query)
    const rows = await tagging.listTags(db, caller.workspaceId, { limit: limit + 1, ...(before && { after: before }) })
    return takePage(rows, limit)
  })
  mount(app, tags.create, ({ caller, body }) => tagging.createTag(db, caller.workspaceId, body.name))
  mount(app, tags.get, ({ caller, params }) => tagging.showTag(db, caller.workspaceId, params.id))
  mount(app, tags.update, ({ caller, params, body }) => tagging.changeTag(db, caller.workspaceId, params.id, body.name))
  mount(app, tags.remove, async ({ caller, params }) => {
    await db.transaction().execute(async (db) => {
      await tagging.removeTag(db, caller.workspaceId, params.id)
      await queueClearingTag(queue, caller.workspaceId, params.id, db)
    })
    return {}
  })
}

function mountFields(app: FastifyInstance, { db, queue }: Services): void {
  mount(app, fields.list, async ({ caller, query }) => {
    const { limit, before } = toPageQuery(query)
    const page = { limit: limit + 1, ...(before && { after: before }) }
    return takePage(await defining.listFields(db, caller.workspaceId, page), limit)
  })
  mount(app, fields.create, ({ caller, body }) => defining.createField(db, caller.workspaceId, body))
  mount(app, fields.get, ({ caller, params }) => defining.showField(db, caller.workspaceId, params.id))
  mount(app, fields.uses, ({ caller, params }) => defining.listUses(db, caller.workspaceId, params.id))
  mount(app, fields.update, ({ caller, params, body }) => defining.changeField(db, caller.workspaceId, params.id, body))
  mount(app, fields.remove, async ({ caller, params }) => {
    await db.transaction().execute(async (db) => {
      await defining.removeField(db, caller.workspaceId, params.id)
      await queueClearingField(queue, caller.workspaceId, params.id, db)
    })
    return {}
  })
}

function mountSegments(app: FastifyInstance, { db, reads }: Services): void {
  mount(app, segments.list, async ({ caller, query }) => {
    const { limit, before } = toPageQuery(query)
    const page = { limit: limit + 1, ...(before && { after: before }) }
    return takePage(await segmenting.listSegments(db, caller.workspaceId, page), limit)
  })
  mount(app, segments.create, ({ caller, body }) => segmenting.createSegment(db, caller.workspaceId, body))
  mount(app, segments.get, ({ caller, params }) => segmenting.showSegment(db, caller.workspaceId, params.id))
  mount(app, segments.update, ({ caller, params, body }) =>
    segmenting.changeSegment(db, caller.workspaceId, params.id, body),
  )
  mount(app, segments.remove, async ({ caller, params }) => {
    await segmenting.removeSegment(db, caller.workspaceId, params.id)
    return {}
  })
  mount(app, segments.preview, ({ caller, body }) =>
    reads.run(caller, (db) => segmenting.previewFilter(db, caller.workspaceId, body.filter)),
  )
}

function mountImports(app: FastifyInstance, services: Services): void {
  const { db } = services
  mount(app, contacts.importPreview, ({ caller, form }) => importing.previewImport(services, caller.workspaceId, form))
  mount(app, contacts.import, async ({ caller, form, request }) => ({
    importId: await importing.acceptImport(services, caller, { form, request }),
  }))
  mount(app, imports.list, ({ caller, query }) => importing.listImports(db, caller.workspaceId, toPageQuery(query)))
  mount(app, imports.get, ({ caller, params }) => importing.showImport(db, caller.workspaceId, params.id))
  mount(app, imports.errors, async ({ caller, params, reply }) => {
    const job = await importing.showImport(db, caller.workspaceId, params.id)
    return sendCsv(reply, `import-${params.id}-errors`, importing.exportErrors(db, caller.workspaceId, job))
  })
}

function mountSuppressions(app: FastifyInstance, services: Services): void {
  const { db, reads } = services
  mount(app, suppressions.list, ({ caller, query }) =>
    suppressing.listSuppressions(db, caller.workspaceId, toPageQuery(query)),
  )
  mount(app, suppressions.create, ({ caller, body }) => suppressing.suppress(db, caller.workspaceId, body))
  mount(app, suppressions.import, async ({ caller, form, request }) => ({
    importId: await importing.acceptSuppressions(services, caller, { form, request }),
  }))
  mount(app, suppressions.export, ({ caller, reply }) =>
    sendCsv(reply, 'suppressions', suppressing.exportSuppressions(reads.pick(caller), caller.workspaceId)),
  )
  mount(app, suppressions.get, ({ caller, params }) => suppressing.showSuppression(db, caller.workspaceId, params.id))
  mount(app, suppressions.remove, async ({ caller, params }) => {
    await suppressing.liftSuppression(db, caller.workspaceId, params.id)
    return {}
  })
}

/** How contacts that match are read: those of a filter in its turn, and not for too long. */
const inTurn =
  (db: Db, { workspaceId }: Caller, { where }: ExportMatch, field = 'filter') =>
  <T>(read: (db: Db) => Promise<T>): Promise<T> =>
    where ? withinTime(db, { workspaceId, field }, read) : read(db)

function mountBulk(app: FastifyInstance, services: Services): void {
  const { db, reads } = services
  mount(app, contactsBulk.start, async ({ caller, body }) => ({ jobId: await startBulk(services, caller, body) }))
  mount(app, jobs.list, ({ caller, query }) => listJobs(db, caller.workspaceId, toPageQuery(query)))
  mount(app, jobs.get, ({ caller, params }) => showJob(db, caller.workspaceId, params.id))
  mount(app, jobs.undo, async ({ caller, params }) => ({ jobId: await startUndo(services, caller, params.id) }))
  mount(app, contactsBulk.export, async ({ caller, body, reply }) => {
    if (body.ids) await requireContacts(db, caller.workspaceId, body.ids)
    if (body.filter) await requireReferences(db, caller.workspaceId, 'filter', body.filter)
    const match: ExportMatch = body.filter ? await filterMatch(db, caller.workspaceId, body.filter) : { ids: body.ids }
    const source = reads.pick(caller)
    const read = inTurn(source, caller, match)
    return sendCsv(reply, 'contacts', await exportContacts(source, caller.workspaceId, match, read))
  })
}

export function mountContacts(app: FastifyInstance, services: Services): void {
  mountConfirmations(app, services)
  const { db, reads } = services
  mountLists(app, services)
  mountTags(app, services)
  mountFields(app, services)
  mountSegments(app, services)
  mountImports(app, services)
  mountSuppressions(app, services)
  mountBulk(app, services)
  mountForms(app, services)

  mount(app, contacts.list, async ({ caller, query: { limit, sort, cursor, ...query } }) => {
    const match = await queryMatch(db, caller.workspaceId, query)
    return reads.run(caller, (db) => {
      const read = inTurn(db, caller, match, query.filter ? 'filter' : 'segmentId')
      return read((db) => listContacts(db, caller.workspaceId, { limit, sort, cursor, ...match }))
    })
  })
  mount(app, contacts.create, ({ caller, body }) => rules.createContact(services, caller, body))
  mount(app, contacts.fields, async ({ caller }) => {
    const { names } = await attributeNames(db, caller.workspaceId, importing.NEWEST)
    return { attributes: [...new Set([...names, ...(await fieldNames(db, caller.workspaceId))])].sort() }
  })
  mount(app, contacts.export, async ({ caller, query, reply }) => {
    const match = await queryMatch(services.db, caller.workspaceId, query)
    const db = reads.pick(caller)
    const read = inTurn(db, caller, match, query.filter ? 'filter' : 'segmentId')
    return sendCsv(reply, 'contacts', await exportContacts(db, caller.workspaceId, match, read))
  })
  mount(app, contacts.get, ({ caller, params }) => rules.showWithOrigins(db, caller.workspaceId, params.id))
  mount(app, events.names, ({ caller }) => listEventNames(db, caller.workspaceId))
  mount(app, events.record, async ({ caller, body, idempotencyKey }) => ({
    id: await recordEvent(db, caller.workspaceId, body, idempotencyKey),
  }))
  mount(app, contactTimeline.show, ({ caller, params, query }) =>
    showTimeline(db, caller.workspaceId, params.id, query),
  )
  mount(app, contactTimeline.export, async ({ caller, params, reply }) => {
    const text = await exportContact(db, caller.workspaceId, params.id)
    return reply
      .header('content-disposition', `attachment; filename="contact-${params.id}.json"`)
      .type('application/json; charset=utf-8')
      .send(text)
  })
  mount(app, contactMerges.merge, ({ caller, params, body }) =>
    merging.mergeContacts(db, caller, params.id, body.otherId),
  )
  mount(app, contactMerges.list, ({ caller, params }) => merging.showMerges(db, caller.workspaceId, params.id))
  mount(app, contactMerges.undo, ({ caller, params, body }) =>
    merging.undoMerge(db, caller.workspaceId, params.id, body.mergeId),
  )
  mount(app, contacts.update, ({ caller, params, body }) => rules.changeContact(services, caller, params.id, body))
  mount(app, contacts.upsert, ({ caller, params, body }) => rules.upsertContact(services, caller, params.address, body))
  mount(app, contacts.remove, async ({ caller, params }) => {
    await rules.removeContact(services, caller.workspaceId, params.id)
    return {}
  })
  mount(app, contacts.erase, async ({ caller, params }) => {
    await eraseContact(services, caller.workspaceId, params.id)
    return {}
  })
}
