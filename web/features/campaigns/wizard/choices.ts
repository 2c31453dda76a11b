import type { Campaign } from '#contracts/campaigns/campaign.ts'
import type { WhatsAppContent } from '#contracts/campaigns/channels/whatsapp/campaign.ts'
import { formatDay } from '#web/ui/lib/format.ts'

type SharedChoices = Pick<Campaign, 'name' | 'listIds'>

/** What wizards ask in some channels only, with the fields of every channel. */
export interface ChannelChoices
  extends Pick<
    Campaign,
    'senderId' | 'senderIds' | 'subject' | 'templateId' | 'html' | 'trackOpens' | 'trackClicks' | 'window' | 'spread'
  > {
  whatsapp: WhatsAppContent | undefined
}

/** What is chosen in a wizard. */
export type WizardChoices = SharedChoices & ChannelChoices

/** The choices of a channel that asks for none. Each channel starts from them. */
export const noChoices: ChannelChoices = {
  senderId: null,
  senderIds: [],
  subject: '',
  templateId: null,
  html: '',
  trackOpens: true,
  trackClicks: true,
  window: null,
  spread: false,
  whatsapp: undefined,
}

/** What a new campaign starts with: a name, and what its channel starts with. */
export const startChoices = (blank: ChannelChoices): WizardChoices => ({
  name: `Campaign ${formatDay(new Date().toISOString())}`,
  listIds: [],
  ...blank,
})
