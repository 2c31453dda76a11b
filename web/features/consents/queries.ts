import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Input } from '#contracts/endpoint.ts'
import { whatsappConsents } from '#contracts/whatsapp/consents.ts'
import { api } from '#web/api.ts'

/** The consents recorded for one contact, newest first. */
export function useConsents(contactId: string) {
  return useQuery({
    queryKey: ['whatsapp', 'consents', contactId],
    queryFn: () => api(whatsappConsents.list, { query: { contactId, limit: 50 } }),
  })
}

type Proof = Omit<Input<typeof whatsappConsents.create>['body'], 'contactIds'>
const AT_ONCE = 1_000

/** Records one proof for any number of contacts. Returns how many were recorded, and who was skipped and why. */
export function useConsentRecording() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ contactIds, ...proof }: Proof & { contactIds: string[] }) => {
      const sum = { recorded: 0, noPhone: 0, optedOut: 0, unknown: 0 }
      for (let from = 0; from < contactIds.length; from += AT_ONCE) {
        const body = { ...proof, contactIds: contactIds.slice(from, from + AT_ONCE) }
        const { recorded, skipped } = await api(whatsappConsents.create, { body })
        sum.recorded += recorded
        for (const { reason } of skipped)
          sum[({ no_phone: 'noPhone', opted_out: 'optedOut', unknown: 'unknown' } as const)[reason]]++
      }
      return sum
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['whatsapp'] }),
  })
}
