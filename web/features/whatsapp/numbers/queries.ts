import { useQuery } from '@tanstack/react-query'
import { whatsappNumbers } from '#contracts/whatsapp/numbers.ts'
import { api } from '#web/api.ts'
import { readAll } from '#web/query.ts'

/** The connected WhatsApp numbers of the workspace, and whether this installation has WhatsApp at all. */
export function useNumbers() {
  return useQuery({
    queryKey: ['whatsapp', 'numbers'],
    queryFn: () => readAll((page) => api(whatsappNumbers.list, { query: page })),
  })
}
