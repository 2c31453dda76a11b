/** WhatsApp through Meta's Cloud API: numbers, templates, webhooks, consents, the inbox, automations, figures. */
import type { FastifyInstance } from 'fastify'
import { addContactPart } from '#server/features/contacts/index.ts'
import type { Services } from '#server/services.ts'
import { eraseFromWhatsApp } from './erasure.ts'
import { giveConversations, giveConversationsBack } from './merging.ts'
import {
  mountAccounts,
  mountAutomations,
  mountConsents,
  mountInbox,
  mountSavedReplies,
  mountStats,
  mountTemplates,
} from './routes.ts'
import { mountWebhook } from './webhook/routes.ts'

export { addCampaignsPart } from './campaigns-part.ts'

import { hasConsent, insertConsents, withdrawConsents } from './consents/consents.ts'

export { clearMessages } from './erasure.ts'
export { forgetUnsent, insertQueued, noteOutcomes } from './inbox/campaign-messages-store.ts'
export { findCountry } from './inbox/send.ts'
export { writeFirst, writeToOwn } from './inbox/write-first.ts'
export { handleJobs } from './jobs.ts'
export { openKeys } from './numbers/keys.ts'
export { findAccount } from './numbers/numbers.ts'
export { remainingRoom } from './numbers/portfolio.ts'
export {
  markTemplatesStale,
  type NumberRow,
  numberById,
  recoverNumber,
  restForHours,
  takeSlots,
  writeRest,
} from './numbers/sending-store.ts'
export { noteState } from './numbers/store.ts'
export { optOut } from './people.ts'
export { deliveredAt, deliveryColumns, optOutsAfterIt, repliesToIt } from './reports/counting.ts'
export {
  findVariables,
  missingVariables,
  type TemplateParts,
  templateMessage,
  templateText,
} from './templates/shape.ts'
export { setTemplateStatus } from './templates/store.ts'
export { hasConsent }

export function mountWhatsApp(app: FastifyInstance, services: Services): void {
  mountWebhook(app, services)
  mountAccounts(app, services)
  mountTemplates(app, services)
  mountConsents(app, services)
  mountInbox(app, services)
  mountSavedReplies(app, services)
  mountAutomations(app, services)
  mountStats(app, services)
}

addContactPart('whatsapp', {
  erase: eraseFromWhatsApp,
  merge: giveConversations,
  unmerge: giveConversationsBack,
  consented: hasConsent,
  recordConsents: async (db, by, contactIds, proof) => (await insertConsents(db, by, contactIds, proof)).ids,
  withdrawConsents,
})
