import type { CampaignSummary } from '#contracts/campaigns/campaign.ts'
import type { WhatsAppContent } from '#contracts/campaigns/parts.ts'
import { channelPages } from '#web/channel-pages.ts'
import { noChoices } from '../../wizard/choices.ts'
import type { Channel } from '../channel.ts'

const deliveryOf = (campaign: CampaignSummary, what: 'delivered' | 'read' | 'replied') =>
  campaign.channel === 'whatsapp' ? campaign.delivery[what] : null

/** A message of which nothing is chosen yet. */
export const blankContent: WhatsAppContent = { accountId: null, templateId: null, variables: {} }

export const whatsapp: Channel = {
  id: 'whatsapp',
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
  whereToFix(code) {
    if (/no_account|configured/.test(code)) return { step: 'authenticate', label: 'Choose a number' }
    if (/^account|tier/.test(code)) return { to: '/whatsapp-sender/numbers', label: 'View number' }
    if (code === 'suppressed') return { to: '/contacts/suppressions', label: 'View recipients' }
    if (code === 'no_opt_in' || code === 'other_purpose') return { to: '/contacts', label: 'Record consent' }
    if (/list|recipient|phone|needs_number|us_marketing/.test(code))
      return { step: 'recipients', label: 'Choose recipients' }
    if (/plan|quota|limit/.test(code)) return { to: '/plan', label: 'View plans' }
    return { step: 'template', label: 'Fix in template' }
  },
  figures: [
    { id: 'delivered', header: 'Delivered', count: (campaign) => deliveryOf(campaign, 'delivered') },
    { id: 'read', header: 'Read', count: (campaign) => deliveryOf(campaign, 'read') },
    { id: 'replied', header: 'Replied', count: (campaign) => deliveryOf(campaign, 'replied') },
  ],
  // Who switched read receipts off is never known to have read.
  moments: [
    { header: 'Delivered', at: ({ deliveredAt }) => deliveredAt, isCounted: () => true },
    { header: 'Read', at: ({ readAt }) => readAt, isCounted: () => true },
  ],
}
