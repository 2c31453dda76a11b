import { accounts } from './accounts/accounts.ts'
import { admin } from './admin/admin.ts'
import { billing } from './billing/billing.ts'
import { coupons } from './billing/coupons.ts'
import { blog } from './blog/blog.ts'
import { bounceSources, inbound } from './bounces/bounces.ts'
import { campaigns } from './campaigns/campaigns.ts'
import { followUps } from './campaigns/channels/gmail/follow-ups.ts'
import { mailMerge } from './campaigns/channels/gmail/mail-merge.ts'
import { campaignReports } from './campaigns/report/report.ts'
import { collector } from './collector/collector.ts'
import { contactsBulk, jobs } from './contacts/bulk.ts'
import { contacts } from './contacts/contacts.ts'
import { events } from './contacts/events.ts'
import { fields } from './contacts/fields.ts'
import { forms } from './contacts/forms.ts'
import { imports } from './contacts/imports.ts'
import { lists } from './contacts/lists.ts'
import { contactMerges } from './contacts/merges.ts'
import { segments } from './contacts/segments.ts'
import { suppressions } from './contacts/suppressions.ts'
import { tags } from './contacts/tags.ts'
import { contactTimeline } from './contacts/timeline.ts'
import { dashboard } from './dashboard/dashboard.ts'
import type { Endpoint } from './endpoint.ts'
import { gmailAnalytics } from './gmail/analytics.ts'
import { gmail } from './gmail/gmail.ts'
import { images } from './images/images.ts'
import { journeys } from './journeys/journeys.ts'
import { journeyTrials } from './journeys/trials.ts'
import { sampleData } from './samples/samples.ts'
import { sandboxDns } from './sandbox/dns.ts'
import { sandbox } from './sandbox/sandbox.ts'
import { sandboxWhatsApp } from './sandbox/whatsapp.ts'
import { search } from './search/search.ts'
import { domains } from './senders/domains.ts'
import { senders } from './senders/senders.ts'
import { contact } from './site/contact-form.ts'
import { system } from './system/system.ts'
import { blocks, brand } from './templates/parts.ts'
import { templates } from './templates/templates.ts'
import { whatsappAutomations } from './whatsapp/automations.ts'
import { whatsappConsents } from './whatsapp/consents.ts'
import { whatsappConversations } from './whatsapp/inbox.ts'
import { whatsappNumbers } from './whatsapp/numbers.ts'
import { whatsappStats } from './whatsapp/reports.ts'
import { whatsappSavedReplies } from './whatsapp/saved-replies.ts'
import { whatsappTemplates } from './whatsapp/templates.ts'
import { whatsappUnread } from './whatsapp/unread.ts'
import { whatsapp } from './whatsapp/webhook.ts'

/** Every endpoint of the API, by noun: the list the server mounts, the docs show and the access test walks. */
export const contract = {
  accounts,
  billing,
  coupons,
  blog,
  lists,
  tags,
  fields,
  segments,
  forms,
  contacts,
  contactsBulk,
  contactTimeline,
  contactMerges,
  events,
  jobs,
  imports,
  suppressions,
  templates,
  blocks,
  brand,
  images,
  senders,
  domains,
  bounceSources,
  inbound,
  gmail,
  gmailAnalytics,
  campaigns,
  campaignReports,
  followUps,
  mailMerge,
  journeys,
  journeyTrials,
  collector,
  whatsapp,
  whatsappNumbers,
  whatsappTemplates,
  whatsappConsents,
  whatsappConversations,
  whatsappUnread,
  whatsappSavedReplies,
  whatsappAutomations,
  whatsappStats,
  dashboard,
  sampleData,
  search,
  contact,
  sandbox,
  sandboxDns,
  sandboxWhatsApp,
  system,
  admin,
} satisfies Record<string, Record<string, Endpoint>>

/** The title of each noun, as the reference and the tags of the document show it. */
export const titles: Record<keyof typeof contract, string> = {
  accounts: 'Accounts',
  billing: 'Plans and payments',
  coupons: 'Coupons',
  blog: 'Blog',
  lists: 'Lists',
  tags: 'Tags',
  fields: 'Custom fields',
  segments: 'Segments',
  forms: 'Sign-up forms',
  contacts: 'Contacts',
  contactsBulk: 'Changes of many contacts',
  contactTimeline: 'Timelines of contacts',
  contactMerges: 'Merges of contacts',
  events: 'Events of contacts',
  jobs: 'Jobs',
  imports: 'Imports',
  suppressions: 'Suppression list',
  templates: 'Templates',
  blocks: 'Saved blocks',
  brand: 'Brand',
  images: 'Image library',
  senders: 'Senders',
  domains: 'Sending domains',
  bounceSources: 'Bounce sources',
  inbound: 'Bounce webhooks',
  gmail: 'Gmail accounts',
  gmailAnalytics: 'Gmail analytics',
  campaigns: 'Campaigns',
  campaignReports: 'Campaign reports',
  followUps: 'Follow-ups',
  mailMerge: 'Mail merge',
  journeys: 'Journeys',
  journeyTrials: 'Trials of journeys',
  collector: 'Email and number scraper',
  whatsapp: 'WhatsApp webhook',
  whatsappNumbers: 'WhatsApp numbers',
  whatsappTemplates: 'WhatsApp templates',
  whatsappConsents: 'WhatsApp consents',
  whatsappConversations: 'WhatsApp conversations',
  whatsappUnread: 'WhatsApp unread count',
  whatsappSavedReplies: 'WhatsApp saved replies',
  whatsappAutomations: 'WhatsApp automations',
  whatsappStats: 'WhatsApp reports',
  dashboard: 'Dashboard',
  sampleData: 'Sample data',
  search: 'Search',
  contact: 'Contact form',
  sandbox: 'Sandbox',
  sandboxDns: 'DNS sandbox',
  sandboxWhatsApp: 'WhatsApp sandbox',
  system: 'This installation',
  admin: 'Administration',
}
