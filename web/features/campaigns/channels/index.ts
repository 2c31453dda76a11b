import { createContext, use } from 'react'
import type { Channel } from './channel.ts'
import { email } from './email/channel.ts'
import { gmail } from './gmail/channel.ts'
import { whatsapp } from './whatsapp/channel.ts'

export type { Channel } from './channel.ts'

export const channels: Record<Channel['id'], Channel> = { email, gmail, whatsapp }

/** The channel of the screen; email where none is given. */
export const ChannelContext = createContext(channels.email)
export const useChannel = () => use(ChannelContext)
