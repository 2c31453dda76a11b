import { useQuery } from '@tanstack/react-query'
import { campaigns } from '#contracts/campaigns.ts'
import { contacts } from '#contracts/contacts.ts'
import { templates } from '#contracts/templates.ts'
import { api } from '#web/api.ts'

/** How far someone is on the way from signing up to a sent campaign, read from what is really there. */
export function useProgress() {
  return useQuery({
    queryKey: ['progress'],
    queryFn: async () => {
      const [template, contact, latest, sent] = await Promise.all([
        api(templates.list, { query: { limit: 1 } }),
        api(contacts.list, { query: { limit: 1 } }),
        api(campaigns.list, { query: { limit: 5 } }),
        api(campaigns.list, { query: { limit: 1, state: 'sent' } }),
      ])
      const running = latest.items.some((campaign) => campaign.state === 'sending')
      return {
        // A campaign may carry its own HTML; what was sent had a template in one way or the other.
        template: template.items.length > 0 || sent.items.length > 0 || running,
        recipients: contact.items.length > 0,
        campaign: latest.items.length > 0,
        sent: sent.items.length > 0 || running,
        latest: latest.items,
      }
    },
  })
}
