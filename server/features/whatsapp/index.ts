/** WhatsApp through Meta's Cloud API: numbers, templates, webhooks, consents, the inbox, what answers by itself, figures. */
import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/services.ts'
import { mountAccounts, mountAutomations, mountInbox, mountOptIns, mountStats, mountTemplates } from './routes.ts'
import { mountWebhook } from './webhook/routes.ts'

export { findAccount } from './accounts/accounts.ts'
export { openKeys } from './accounts/keys.ts'
export { roomOf } from './accounts/portfolio.ts'
export { noteState } from './accounts/store.ts'
export { countryOf } from './inbox/send.ts'
export { writeFirst, writeToOwn } from './inbox/write-first.ts'
export { handleJobs } from './jobs.ts'
export { hasOptIn } from './opt-ins.ts'
export { optOut } from './people.ts'
export {
  missingVariables,
  type TemplateParts,
  templateMessage,
  templateText,
  variablesOf,
} from './templates/shape.ts'
export { pauseForNumber, pauseForTemplates, settleCampaignMessages } from './webhook/campaigns.ts'

export function mountWhatsApp(app: FastifyInstance, services: Services): void {
  mountWebhook(app, services)
  mountAccounts(app, services)
  mountTemplates(app, services)
  mountOptIns(app, services)
  mountInbox(app, services)
  mountAutomations(app, services)
  mountStats(app, services)
}
