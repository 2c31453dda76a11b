import { createContext, use } from 'react'
import type { Campaign } from '#contracts/campaigns.ts'
import type { StepId } from './wizard-steps.ts'

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
  one: 'letter' | 'message'
  taker: 'the mail server' | 'WhatsApp'
}

export const channels: Record<Channel['id'], Channel> = {
  email: {
    id: 'email',
    wizard: '/email-sender',
    list: '/mail-dash',
    steps: ['authenticate', 'template', 'recipients', 'campaign', 'send'],
    asks: 'Five questions; every answer is kept as a draft.',
    one: 'letter',
    taker: 'the mail server',
  },
  gmail: {
    id: 'gmail',
    wizard: '/gmail-sender/new',
    list: '/gmail-sender/campaigns',
    steps: ['authenticate', 'template', 'recipients', 'campaign', 'followups', 'hours', 'send'],
    asks: 'Seven questions; every answer is kept as a draft.',
    one: 'letter',
    taker: 'the mail server',
  },
  whatsapp: {
    id: 'whatsapp',
    wizard: '/whatsapp-sender/new',
    list: '/whatsapp-sender',
    steps: ['authenticate', 'recipients', 'template', 'send'],
    asks: 'Four questions; every answer is kept as a draft.',
    one: 'message',
    taker: 'WhatsApp',
  },
}

/** The channel of the screen; e-mail where none is given. */
export const ChannelContext = createContext(channels.email)
export const useChannel = () => use(ChannelContext)

/** Where a campaign is looked at: its draft in the wizard, else its report. */
export function campaignPlace({ id, channel, state }: Pick<Campaign, 'id' | 'channel' | 'state'>): string {
  const { wizard, list } = channels[channel]
  return state === 'draft' ? `${wizard}?id=${id}` : `${list}/${id}`
}
