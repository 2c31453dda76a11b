import { accounts } from './accounts.ts'
import { admin } from './admin.ts'
import { billing } from './billing.ts'
import { blog } from './blog.ts'
import { campaigns } from './campaigns.ts'
import { collector } from './collector.ts'
import { contact } from './contact.ts'
import { contacts, imports, lists, suppressions } from './contacts.ts'
import { coupons } from './coupons.ts'
import { dashboard } from './dashboard.ts'
import type { Endpoint } from './endpoint.ts'
import { followUps } from './follow-ups.ts'
import { gmail } from './gmail.ts'
import { gmailAnalytics } from './gmail-analytics.ts'
import { blocks, brand } from './letter-parts.ts'
import { mailMerge } from './mail-merge.ts'
import { pictures } from './pictures.ts'
import { sandbox } from './sandbox.ts'
import { senders } from './senders.ts'
import { system } from './system.ts'
import { templates } from './templates.ts'
import { whatsapp, whatsappAccounts, whatsappOptIns } from './whatsapp.ts'
import { whatsappAutomations } from './whatsapp-automations.ts'
import { whatsappConversations } from './whatsapp-inbox.ts'
import { sandboxWhatsApp } from './whatsapp-sandbox.ts'
import { whatsappStats } from './whatsapp-stats.ts'
import { whatsappTemplates } from './whatsapp-templates.ts'

/** Every endpoint of the API, by noun: the list the server mounts, the docs show and the access test walks. */
export const contract = {
  accounts,
  billing,
  coupons,
  blog,
  lists,
  contacts,
  imports,
  suppressions,
  templates,
  blocks,
  brand,
  pictures,
  senders,
  gmail,
  gmailAnalytics,
  campaigns,
  followUps,
  mailMerge,
  collector,
  whatsapp,
  whatsappAccounts,
  whatsappTemplates,
  whatsappOptIns,
  whatsappConversations,
  whatsappAutomations,
  whatsappStats,
  dashboard,
  contact,
  sandbox,
  sandboxWhatsApp,
  system,
  admin,
} satisfies Record<string, Record<string, Endpoint>>
