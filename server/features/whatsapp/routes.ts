import type { FastifyInstance } from 'fastify'
import { whatsappAutomations } from '#contracts/whatsapp/automations.ts'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { whatsappConversations } from '#contracts/whatsapp/inbox.ts'
import { whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { whatsappStats } from '#contracts/whatsapp/reports.ts'
import { whatsappSavedReplies } from '#contracts/whatsapp/saved-replies.ts'
import { whatsappTemplates } from '#contracts/whatsapp/templates.ts'
import { whatsappUnread } from '#contracts/whatsapp/unread.ts'
import { mount } from '#server/platform/http/mount.ts'
import { wholeList } from '#server/platform/http/page.ts'
import { sendCsv } from '#server/platform/http/send-csv.ts'
import type { Services } from '#server/services.ts'
import * as automations from './automations/automations.ts'
import { simulate } from './automations/simulate.ts'
import { listConsents, recordConsents, summarizeConsents } from './consents/consents.ts'
import * as inbox from './inbox/conversations.ts'
import { countUnread } from './inbox/counts-store.ts'
import { streamConversations } from './inbox/live.ts'
import { fetchMedia } from './inbox/media.ts'
import { sendReceipt } from './inbox/receipts.ts'
import { saveContact } from './inbox/save-contact.ts'
import { listAssignees } from './inbox/store.ts'
import { uploadMedia } from './inbox/upload.ts'
import { startConversation } from './inbox/write-first.ts'
import * as accounts from './numbers/numbers.ts'
import { queueTemplates } from './queues.ts'
import { statsRows } from './reports/export.ts'
import { whatsAppStats } from './reports/reports.ts'
import {
  changeSavedReply,
  createSavedReply,
  listSavedReplies,
  removeSavedReply,
} from './saved-replies/saved-replies.ts'
import { uploadSample } from './templates/sample.ts'
import * as templates from './templates/templates.ts'

export function mountAccounts(app: FastifyInstance, services: Services): void {
  mount(app, whatsappNumbers.list, ({ caller, query }) => accounts.listAccounts(services, caller.workspaceId, query))
  mount(app, whatsappNumbers.check, ({ caller, body }) => accounts.checkCredentials(services, caller.workspaceId, body))
  mount(app, whatsappNumbers.create, async ({ caller, body }) => {
    const account = await accounts.createAccount(services, caller.workspaceId, body)
    await queueTemplates(services.queue, caller.workspaceId, account.id)
    return account
  })
  mount(app, whatsappNumbers.get, ({ caller, params }) => accounts.showAccount(services, caller.workspaceId, params.id))
  mount(app, whatsappNumbers.update, ({ caller, params, body }) =>
    accounts.changeAccount(services, caller.workspaceId, params.id, body),
  )
  mount(app, whatsappNumbers.refresh, ({ caller, params }) =>
    accounts.refreshAccount(services, caller.workspaceId, params.id),
  )
  mount(app, whatsappNumbers.remove, async ({ caller, params }) => {
    await accounts.removeAccount(services, caller.workspaceId, params.id)
    return {}
  })
}

export function mountTemplates(app: FastifyInstance, services: Services): void {
  mount(app, whatsappTemplates.list, ({ caller, query }) =>
    templates.listTemplates(services, caller.workspaceId, query),
  )
  mount(app, whatsappTemplates.get, async ({ caller, params }) =>
    templates.presentTemplate(await templates.findTemplate(services, caller.workspaceId, params.id)),
  )
  mount(app, whatsappTemplates.create, ({ caller, body }) =>
    templates.createTemplate(services, caller.workspaceId, body),
  )
  mount(app, whatsappTemplates.upload, ({ caller, query, form }) =>
    uploadSample(services, caller.workspaceId, query.accountId, form),
  )
  mount(app, whatsappTemplates.sync, ({ caller, body }) =>
    templates.syncTemplates(services, caller.workspaceId, body.accountId),
  )
  mount(app, whatsappTemplates.remove, async ({ caller, params }) => {
    await templates.removeTemplate(services, caller.workspaceId, params.id)
    return {}
  })
}

export function mountStats(app: FastifyInstance, { reads }: Services): void {
  mount(app, whatsappStats.show, ({ caller, query }) =>
    reads.run(caller, (db) => whatsAppStats(db, caller.workspaceId, query)),
  )
  mount(app, whatsappStats.export, async ({ caller, query: { table, ...query }, reply }) => {
    const stats = await reads.run(caller, (db) => whatsAppStats(db, caller.workspaceId, query))
    return sendCsv(reply, `whatsapp-${table}`, [statsRows(stats, table, query)])
  })
}

export function mountConsents(app: FastifyInstance, { db }: Services): void {
  mount(app, whatsappConsents.list, ({ caller, query }) => listConsents(db, caller.workspaceId, query))
  mount(app, whatsappConsents.create, ({ caller, body }) => recordConsents(db, caller, body))
  mount(app, whatsappConsents.state, ({ caller, query }) => summarizeConsents(db, caller.workspaceId, query.listIds))
}

export function mountAutomations(app: FastifyInstance, services: Services): void {
  mount(app, whatsappAutomations.list, ({ caller, query }) =>
    automations.listAutomations(services, caller.workspaceId, query),
  )
  mount(app, whatsappAutomations.create, ({ caller, body }) =>
    automations.createAutomation(services, caller.workspaceId, body),
  )
  mount(app, whatsappAutomations.simulate, ({ caller, body }) => simulate(services, caller.workspaceId, body))
  mount(app, whatsappAutomations.get, ({ caller, params }) =>
    automations.showAutomation(services, caller.workspaceId, params.id),
  )
  mount(app, whatsappAutomations.update, ({ caller, params, body }) =>
    automations.changeAutomation(services, caller.workspaceId, params.id, body),
  )
  mount(app, whatsappAutomations.remove, async ({ caller, params }) => {
    await automations.removeAutomation(services, caller.workspaceId, params.id)
    return {}
  })
}

export function mountSavedReplies(app: FastifyInstance, services: Services): void {
  const { list, create, update, remove } = whatsappSavedReplies
  mount(app, list, async ({ caller }) => wholeList(await listSavedReplies(services, caller.workspaceId)))
  mount(app, create, ({ caller, body }) => createSavedReply(services, caller.workspaceId, body))
  mount(app, update, ({ caller, params, body }) => changeSavedReply(services, caller.workspaceId, params.id, body))
  mount(app, remove, async ({ caller, params }) => {
    await removeSavedReply(services, caller.workspaceId, params.id)
    return {}
  })
}

export function mountInbox(app: FastifyInstance, services: Services): void {
  mount(app, whatsappConversations.list, ({ caller, query }) => inbox.listConversations(services, caller, query))
  mount(app, whatsappUnread.count, async ({ caller }) => ({
    conversations: await countUnread(services.db, caller.workspaceId),
  }))
  mount(app, whatsappConversations.start, ({ caller, body }) => startConversation(services, caller, body))
  mount(app, whatsappConversations.people, async ({ caller }) =>
    wholeList(await listAssignees(services.db, caller.workspaceId)),
  )
  mount(app, whatsappConversations.live, ({ caller, reply }) =>
    streamConversations(reply, services, caller.workspaceId),
  )
  mount(app, whatsappConversations.campaigns, async ({ caller, params }) =>
    wholeList(await inbox.listCampaigns(services, caller.workspaceId, params.id)),
  )
  mount(app, whatsappConversations.get, ({ caller, params }) =>
    inbox.showConversation(services, caller.workspaceId, params.id),
  )
  mount(app, whatsappConversations.update, async ({ caller, params, body }) => {
    const before = await inbox.showConversation(services, caller.workspaceId, params.id)
    const after = await inbox.changeConversation(services, caller.workspaceId, params.id, body)
    if (body.read && before.unread > 0) await sendReceipt(services, caller.workspaceId, params.id)
    return after
  })
  mount(app, whatsappConversations.save, ({ caller, params, body }) => saveContact(services, caller, params.id, body))
  mount(app, whatsappConversations.messages, ({ caller, params, query }) =>
    inbox.listMessages(services, caller.workspaceId, params.id, query),
  )
  mount(app, whatsappConversations.reply, ({ caller, params, body }) =>
    inbox.reply(services, caller, params.id, body.message),
  )
  mount(app, whatsappConversations.upload, ({ caller, query, form }) =>
    uploadMedia(services, caller.workspaceId, query.accountId, form),
  )
  mount(app, whatsappConversations.media, async ({ caller, params, reply }) => {
    const file = await fetchMedia(services, caller.workspaceId, params.id, params.messageId)
    // A stranger's bytes: images, videos and audio are shown by our own pages, the rest is only ever saved.
    const isShown = /^(image\/(png|jpeg|webp)|video\/(mp4|3gpp)|audio\/[\w.+-]+)$/.test(file.mimeType)
    const name = file.fileName.replaceAll(/[^\w.-]/g, '_')
    return reply
      .type(isShown ? file.mimeType : 'application/octet-stream')
      .header('content-disposition', `${isShown ? 'inline' : 'attachment'}; filename="${name}"`)
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "sandbox; default-src 'none'")
      .send(file.body)
  })
}
