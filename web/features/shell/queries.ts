import { useQuery } from '@tanstack/react-query'
import { whatsappUnread } from '#contracts/whatsapp/unread.ts'
import { api } from '#web/api.ts'

/** How many WhatsApp conversations are unread: asked for every minute while the page is in front; 0 until it is known. */
export function useUnread(enabled: boolean): number {
  const { data } = useQuery({
    queryKey: ['whatsapp', 'unread'],
    queryFn: () => api(whatsappUnread.count),
    staleTime: 30_000,
    refetchInterval: 60_000,
    refetchOnWindowFocus: true,
    enabled,
  })
  return data?.conversations ?? 0
}
