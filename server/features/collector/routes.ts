import type { FastifyInstance } from 'fastify'
import { collector } from '#contracts/collector/collector.ts'
import { mount } from '#server/platform/http/mount.ts'
import { sendCsv } from '#server/platform/http/send-csv.ts'
import type { Services } from '#server/services.ts'
import * as rules from './collector.ts'
import { showFigures } from './figures.ts'
import { streamJob } from './live.ts'
import { exportResults } from './results/export.ts'
import { listResults, listSkips } from './results/results.ts'
import { addToList } from './results/to-list.ts'
import { workbook } from './results/workbook.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export function mountCollector(app: FastifyInstance, services: Services): void {
  const { db } = services

  mount(app, collector.list, ({ caller, query }) => {
    const { limit, cursor: before, kind } = query
    return rules.listJobs(db, caller.workspaceId, { limit, ...(before && { before }), ...(kind && { kind }) })
  })
  mount(app, collector.create, ({ caller, body }) => rules.createJob(services, caller.workspaceId, body))
  mount(app, collector.get, ({ caller, params }) => rules.showJob(db, caller.workspaceId, params.id))
  mount(app, collector.remove, async ({ caller, params }) => {
    await rules.removeJob(services, caller.workspaceId, params.id)
    return {}
  })
  mount(app, collector.results, ({ caller, params, query }) => listResults(db, caller.workspaceId, params.id, query))
  mount(app, collector.figures, ({ caller, params }) => showFigures(db, caller.workspaceId, params.id))
  mount(app, collector.skips, ({ caller, params, query }) => {
    const { limit, cursor: after, reason } = query
    return listSkips(db, caller.workspaceId, params.id, { limit, ...(after && { after }), ...(reason && { reason }) })
  })
  mount(app, collector.live, async ({ caller, params, reply }) => {
    await rules.findJob(db, caller.workspaceId, params.id)
    streamJob(services, reply, caller.workspaceId, params.id)
  })
  mount(app, collector.pause, ({ caller, params }) => rules.pauseJob(services, caller.workspaceId, params.id))
  mount(app, collector.resume, ({ caller, params }) => rules.resumeJob(services, caller.workspaceId, params.id))
  mount(app, collector.stop, ({ caller, params }) => rules.stopJob(services, caller.workspaceId, params.id))
  mount(app, collector.export, async ({ caller, params, query, reply }) => {
    const { format, ...filter } = query
    const job = await rules.findJob(db, caller.workspaceId, params.id)
    const name = `${job.kind === 'email' ? 'emails' : 'numbers'}-${job.id}`
    const pages = exportResults(db, caller.workspaceId, job, filter)
    if (format === 'csv') return sendCsv(reply, name, pages)
    reply.header('content-disposition', `attachment; filename="${name}.xlsx"`).type(XLSX)
    return reply.send(workbook('Results', pages))
  })
  mount(app, collector.toList, ({ caller, params, body }) => addToList(services, caller, params.id, body))
}
