import { sql } from 'kysely'
import { type WhatsAppApi, whatsAppApi } from '#server/adapters/whatsapp/api.ts'
import { addCampaignsPart, clearMessages } from '#server/features/whatsapp/index.ts'
import type { Channel } from '../channel.ts'
import { checkWhatsApp, countAudience } from './check.ts'
import {
  absentWhatsApp,
  checkContent,
  describeNumber,
  presentStatuses,
  presentWhatsApp,
  readStatus,
  whatsAppEvents,
} from './content.ts'
import { launchWhatsApp } from './launch.ts'
import type { WhatsAppPlan } from './message.ts'
import { runWhatsApp } from './run.ts'
import { settleWhatsApp } from './settle.ts'
import { pauseForTemplates, settleMessages } from './statuses.ts'
import { testWhatsApp } from './test-message.ts'

/** WhatsApp's per-person limit of marketing: trying again within a day keeps the person blocked for another. */
const TOO_MUCH_MARKETING = 131049

/** Templates over WhatsApp, through a number of the workspace. */
export const whatsapp: Channel = {
  id: 'whatsapp',
  campaigns: 'WhatsApp campaigns',
  isPaid: false,
  counts: 'whatsappMessages',
  draft: {
    fields: ['whatsapp'],
    hasDefaultSender: false,
    refuseSender: () => 'is for email: choose a WhatsApp number',
    check: async (db, workspaceId, { whatsapp }) => {
      if (whatsapp) await checkContent(db, workspaceId, whatsapp)
    },
    columns: ({ whatsapp }) => (whatsapp ? { whatsapp: JSON.stringify(whatsapp) } : {}),
  },
  check: checkWhatsApp,
  countAudience,
  test: testWhatsApp,
  plan: launchWhatsApp,
  threadData: (services) => services.whatsapp?.baseUrl,
  connect: (url) => (typeof url === 'string' ? whatsAppApi(url) : undefined),
  run: (sending, campaign, { plan, client }, signal) =>
    runWhatsApp(sending, campaign, plan as WhatsAppPlan, client as WhatsAppApi | undefined, signal),
  settle: settleWhatsApp,
  mayRetry: sql<boolean>`not exists (select 1 from whatsapp_messages w where w.workspace_id = messages.workspace_id and w.message_id = messages.id
    and w.error_code = ${TOO_MUCH_MARKETING} and w.failed_at > now() - interval '24 hours')`,
  absent: absentWhatsApp,
  present: (db, workspaceId, rows) => presentWhatsApp(db, workspaceId, rows),
  presentMessages: presentStatuses,
  messageFacts: readStatus,
  recipientEvents: whatsAppEvents,
  eraseMessages: clearMessages,
  describeSender: describeNumber,
}

addCampaignsPart({ settleMessages, pauseForTemplates })
