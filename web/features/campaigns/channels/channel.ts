import { createContext, use } from 'react'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import { campaignPages } from '#web/campaign-links.ts'
import type { StepId } from '../wizard/wizard-steps.ts'

/** What differs between the campaigns of one channel and another's: where their screens are and what the wizard asks. */
export interface Channel {
  id: Campaign['channel']
  /** Makes a campaign; with `?id=` it opens a draft. */
  wizard: string
  /** All campaigns of the channel. */
  list: string
  /** The wizard's questions, in order. */
  steps: readonly StepId[]
  /** One sentence over the wizard. */
  asks: string
  /** What one of what is sent is called, and who takes it from us. */
  one: 'email' | 'message'
  taker: 'the mail server' | 'WhatsApp'
}

export const channels: Record<Channel['id'], Channel> = {
  email: {
    id: 'email',
    ...campaignPages.email,
    steps: ['authenticate', 'template', 'recipients', 'campaign', 'send'],
    asks: 'Your progress is saved automatically.',
    one: 'email',
    taker: 'the mail server',
  },
  gmail: {
    id: 'gmail',
    ...campaignPages.gmail,
    steps: ['authenticate', 'template', 'recipients', 'campaign', 'followups', 'hours', 'send'],
    asks: 'Your progress is saved automatically.',
    one: 'email',
    taker: 'the mail server',
  },
  whatsapp: {
    id: 'whatsapp',
    ...campaignPages.whatsapp,
    steps: ['authenticate', 'recipients', 'template', 'send'],
    asks: 'Your progress is saved automatically.',
    one: 'message',
    taker: 'WhatsApp',
  },
}

/** The channel of the screen; email where none is given. */
export const ChannelContext = createContext(channels.email)
export const useChannel = () => use(ChannelContext)
