import type { Campaign } from '#contracts/campaigns/campaign.ts'

type Channel = Campaign['channel']

/** Where each channel's wizard and list of campaigns are. The wizard makes a campaign; with `?id=` it opens a draft. */
export const campaignPages: Record<Channel, { wizard: string; list: string }> = {
  email: { wizard: '/email-sender', list: '/mail-dash' },
  gmail: { wizard: '/gmail-sender/new', list: '/gmail-sender/campaigns' },
  whatsapp: { wizard: '/whatsapp-sender/new', list: '/whatsapp-sender' },
}

/** The page of one campaign: a draft in the wizard, any other its report. */
export function campaignLink({ id, channel, state }: Pick<Campaign, 'id' | 'channel' | 'state'>): string {
  const { wizard, list } = campaignPages[channel]
  return state === 'draft' ? `${wizard}?id=${id}` : `${list}/${id}`
}
