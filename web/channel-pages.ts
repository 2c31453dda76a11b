import { createContext } from 'react'
import type { Campaign } from '#contracts/campaigns/campaign.ts'

export type ChannelId = Campaign['channel']

interface ChannelPages {
  /** Creates a campaign; with `?id=` it opens a draft. */
  wizard: string
  /** All campaigns of the channel. */
  list: string
  /** The report of a campaign is below it. */
  reports: string
}

/** The pages of each channel: all that other features than campaigns know of one. */
export const channelPages: Record<ChannelId, ChannelPages> = {
  email: { wizard: '/email-sender/new', list: '/email-sender', reports: '/mail-dash' },
  gmail: { wizard: '/gmail-sender/new', list: '/gmail-sender', reports: '/gmail-sender/campaigns' },
  whatsapp: { wizard: '/whatsapp-sender/new', list: '/whatsapp-sender', reports: '/whatsapp-sender' },
}

/** The channel of the screen; email where none is given. */
export const ChannelContext = createContext<ChannelId>('email')

/** The page of one campaign: a draft in the wizard, any other its report. */
export function campaignLink({ id, channel, state }: Pick<Campaign, 'id' | 'channel' | 'state'>): string {
  const { wizard, reports } = channelPages[channel]
  return state === 'draft' ? `${wizard}?id=${id}` : `${reports}/${id}`
}
