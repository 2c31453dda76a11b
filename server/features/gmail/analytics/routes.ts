import type { FastifyInstance } from 'fastify'
import { gmailAnalytics } from '#contracts/gmail/analytics.ts'
import { mount } from '#server/platform/http/mount.ts'
import { sendCsv } from '#server/platform/http/send-csv.ts'
import type { Services } from '#server/services.ts'
import { exportRecipients, listRecipients, showAnalytics } from './analytics.ts'
import { showCurves } from './curves.ts'

/** Open rate and click rate of Gmail. `judged` waits until what came in is classified, so that people and machines are apart. */
export function mountAnalytics(app: FastifyInstance, { reads }: Services, judged: () => Promise<unknown>): void {
  mount(app, gmailAnalytics.show, async ({ caller, query }) => {
    await judged()
    return reads.run(caller, (db) => showAnalytics(db, caller.workspaceId, query))
  })
  mount(app, gmailAnalytics.curves, async ({ caller, query }) => {
    await judged()
    return reads.run(caller, (db) => showCurves(db, caller.workspaceId, query))
  })
  mount(app, gmailAnalytics.recipients, async ({ caller, query }) => {
    await judged()
    return reads.run(caller, (db) => listRecipients(db, caller.workspaceId, query))
  })
  mount(app, gmailAnalytics.exportRecipients, async ({ caller, query, reply }) => {
    await judged()
    const pages = exportRecipients(reads.pick(caller), caller.workspaceId, query)
    return sendCsv(reply, `gmail-${query.kind === 'open' ? 'opened' : 'clicked'}`, pages)
  })
}
