import { use } from 'react'
import { ChannelContext, type ChannelId } from '#web/channel-pages.ts'
import type { Channel } from './channel.ts'
import { email } from './email/channel.ts'
import { gmail } from './gmail/channel.ts'
import { whatsapp } from './whatsapp/channel.ts'

export type { Channel } from './channel.ts'

export const channels: Record<ChannelId, Channel> = { email, gmail, whatsapp }

/** The channel of the screen. */
export const useChannel = (): Channel => channels[use(ChannelContext)]
