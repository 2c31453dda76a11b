import { useQuery } from '@tanstack/react-query'
import { whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { api } from '#web/api.ts'

/** The connected WhatsApp numbers of the workspace, and whether this installation has WhatsApp at all. */
export function useNumbers() {
  return useQuery({
    queryKey: ['whatsapp', 'numbers'],
    queryFn: () => api(whatsappNumbers.list, { query: { limit: 200 } }),
  })
}
