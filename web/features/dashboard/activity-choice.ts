import { useSearchParams } from 'react-router'
import type { ChannelId } from '#web/channel-pages.ts'

/** The channels one can choose. */
export const CHANNELS = [
  { value: 'email', label: 'Email' },
  { value: 'gmail', label: 'Gmail' },
  { value: 'whatsapp', label: 'WhatsApp' },
]

/** The channel and the period of the URL: all channels and 30 days where it names none. */
export function useActivityChoice(): { channel: ChannelId | undefined; days: '30' | '90' } {
  const [search] = useSearchParams()
  const channel = CHANNELS.find(({ value }) => value === search.get('channel'))?.value as ChannelId | undefined
  return { channel, days: search.get('days') === '90' ? '90' : '30' }
}
