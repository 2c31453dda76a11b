import type { Channel } from './channel.ts'
import { email } from './email/index.ts'
import { gmail } from './gmail/index.ts'
import { whatsapp } from './whatsapp/index.ts'

const channels = new Map<string, Channel>([email, gmail, whatsapp].map((channel) => [channel.id, channel]))

/** Every channel, in a fixed order. */
export const allChannels = (): Channel[] => [...channels.values()]

/** The channel of a campaign; undefined: a newer version wrote it. */
export const findChannel = (id: string): Channel | undefined => channels.get(id)

/** The channel of a campaign. Throws where this version knows none of that name. */
export function requireChannel(id: string): Channel {
  const channel = channels.get(id)
  if (!channel) throw new Error(`There is no channel ${id}`)
  return channel
}

const added: string[] = []

/** The modules of channels that were added, for the threads that need them too. */
export const addedChannels = (): readonly string[] => [...added]

/** Adds the channel that a module exports as `channel`, by its address (import.meta.url). Only tests do. Returns how to remove it. */
export async function addChannel(module: string): Promise<() => void> {
  const { channel }: { channel: Channel } = await import(/* @vite-ignore */ module)
  channels.set(channel.id, channel)
  added.push(module)
  return () => {
    channels.delete(channel.id)
    added.splice(added.indexOf(module), 1)
  }
}
