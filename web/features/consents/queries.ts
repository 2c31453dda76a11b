import { useQuery } from '@tanstack/react-query'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { api } from '#web/api.ts'

/** The consents recorded for one contact, newest first. */
export function useConsents(contactId: string) {
  return useQuery({
    queryKey: ['whatsapp', 'consents', contactId],
    queryFn: () => api(whatsappConsents.list, { query: { contactId, limit: 50 } }),
  })
}
