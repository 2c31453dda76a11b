import type { WhatsAppContent } from '#contracts/campaigns/channels/whatsapp/campaign.ts'
import type { WhatsAppProblemCode } from '#contracts/campaigns/check.ts'
import { countRates } from '#contracts/whatsapp/rates.ts'
import { channelPages } from '#web/channel-pages.ts'
import { noChoices } from '../../wizard/choices.ts'
import type { FixPlace } from '../../wizard/wizard-steps.ts'
import type { CampaignFigure, Channel } from '../channel.ts'

/** A figure of what became of the messages, and its rate. */
const figure = (header: string, id: 'delivered' | 'read' | 'replied'): CampaignFigure => ({
  id,
  header,
  count: ({ delivery }) => delivery?.[id] ?? null,
  rate: ({ delivery }) => (delivery ? countRates(delivery)[id === 'replied' ? 'reply' : id] : null),
})

/** A message of which nothing is chosen yet. */
export const blankContent: WhatsAppContent = { accountId: null, templateId: null, variables: {} }

const number: FixPlace = { to: '/whatsapp-sender/numbers', label: 'View number' }
const chooseNumber: FixPlace = { step: 'authenticate', label: 'Choose a number' }
const recipients: FixPlace = { step: 'recipients', label: 'Choose recipients' }
const segments: FixPlace = { to: '/contacts/segments', label: 'View segments' }
const consents: FixPlace = { to: '/contacts', label: 'Record consent' }
const template: FixPlace = { step: 'template', label: 'Fix in template' }
const plans: FixPlace = { to: '/plan', label: 'View plans' }

/** Where the problems of WhatsApp campaigns are fixed. */
const whatsappFixes: Record<WhatsAppProblemCode, FixPlace> = {
  quota_used_up: plans,
  quota_low: plans,
  no_lists: recipients,
  audience_deleted: recipients,
  segment_incomplete: segments,
  segments_complex: segments,
  segments_slow: segments,
  no_recipients: recipients,
  sample_contacts: recipients,
  suppressed: { to: '/contacts/suppressions', label: 'View recipients' },
  not_configured: chooseNumber,
  no_account: chooseNumber,
  account_reconnect: number,
  account_trouble: number,
  tier: number,
  no_template: template,
  template_not_approved: template,
  template_other_account: template,
  variable_missing: template,
  variable_empty: template,
  media_address: template,
  no_consent: consents,
  other_purpose: consents,
  needs_number: recipients,
  no_phone: recipients,
  us_marketing: recipients,
}

export const whatsapp: Channel = {
  id: 'whatsapp',
  name: 'WhatsApp',
  ...channelPages.whatsapp,
  steps: ['authenticate', 'recipients', 'template', 'send'],
  one: 'message',
  taker: 'WhatsApp',
  rejectedBy: 'Meta',
  address: 'Number',
  invitation: 'Create a campaign from an approved template and send it to people who gave consent.',
  blankChoices: { ...noChoices, whatsapp: blankContent },
  readChoices: ({ whatsapp }) => ({ ...noChoices, whatsapp: whatsapp ?? undefined }),
  describeContent: ({ whatsappTemplate }) => whatsappTemplate?.name ?? '',
  removal: 'This deletes its report. Messages stay in the inbox, and opt-outs stay in effect.',
  hasReplyTo: false,
  hasTotals: false,
  hasLinkTags: false,
  hasHours: false,
  fixes: whatsappFixes,
  figures: [figure('Delivered', 'delivered'), figure('Read', 'read'), figure('Replied', 'replied')],
  // Who switched read receipts off is never known to have read.
  deeds: [
    { event: 'delivered', label: 'Delivered', at: ({ deliveredAt }) => deliveredAt, isCounted: () => true },
    { event: 'read', label: 'Read', at: ({ readAt }) => readAt, isCounted: () => true },
    { event: 'replied', label: 'Replied', at: ({ repliedAt }) => repliedAt, isCounted: () => true },
    { event: 'unsubscribed', label: 'Opted out', at: ({ unsubscribedAt }) => unsubscribedAt, isCounted: () => true },
  ],
}
