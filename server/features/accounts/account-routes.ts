import type { FastifyInstance, FastifyReply } from 'fastify'
import { accounts } from '#contracts/accounts/accounts.ts'
import { audit } from '#server/platform/audit.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import { callerOfCookie, exportCookie, exportEverything } from './export/export.ts'
import { removeAccount } from './removal/removal.ts'
import * as store from './store.ts'

type Archive = Awaited<ReturnType<typeof exportEverything>>

function sendArchive(reply: FastifyReply, archive: Archive) {
  const day = new Date().toISOString().slice(0, 10)
  return reply
    .header('content-disposition', `attachment; filename="postlark-${day}.zip"`)
    .header('cache-control', 'no-store')
    .type('application/zip')
    .send(archive)
}

/** What the account page does beyond the profile: sign out everywhere, take everything along, delete everything. */
export function mountOwnAccount(app: FastifyInstance, services: Services): void {
  const { db, config } = services
  mount(app, accounts.endSessions, async ({ caller }) => {
    await db.transaction().execute(async (db) => {
      await store.deleteSessions(db, caller.userId, {})
      await audit(db, { action: 'logged_out_everywhere' })
    })
    return {}
  })
  mount(app, accounts.export, async ({ caller, reply }) => sendArchive(reply, await exportEverything(services, caller)))
  mount(app, accounts.exportLink, async ({ caller, reply }) => {
    const url = accounts.exportFile.path
    reply.header('set-cookie', await exportCookie(config, caller, url))
    return { url }
  })
  mount(app, accounts.exportFile, async ({ request, reply }) => {
    const caller = await callerOfCookie(db, config, request.headers.cookie)
    return sendArchive(reply, await exportEverything(services, caller))
  })
  mount(app, accounts.remove, async ({ caller, body }) => {
    await removeAccount(services, caller, body)
    return {}
  })
}
