import { z } from 'zod'
import { CampaignState, Channel } from '#contracts/campaigns/campaign.ts'
import { endpoint } from '#contracts/endpoint.ts'
import { JourneyState } from '#contracts/journeys/journeys.ts'
import { Id, Line } from '#contracts/values.ts'

/** Results of each kind, at most. */
export const RESULTS_OF_A_KIND = 5

export const SearchResults = z.object({
  contacts: z.array(
    z.object({
      id: Id,
      name: z.string(),
      email: z.string().nullable(),
      phone: z.string().nullable(),
      isSample: z.boolean(),
    }),
  ),
  campaigns: z.array(z.object({ id: Id, name: z.string(), channel: Channel, state: CampaignState })),
  templates: z.array(z.object({ id: Id, name: z.string() })),
  journeys: z.array(z.object({ id: Id, name: z.string(), state: JourneyState })),
})
export type SearchResults = z.infer<typeof SearchResults>

export const search = {
  find: endpoint('GET /api/search', 'user', {
    summary: 'Search contacts, campaigns, templates and journeys, the newest five of each',
    query: z.object({ q: Line(100).min(1, 'is required') }),
    response: SearchResults,
  }),
}
