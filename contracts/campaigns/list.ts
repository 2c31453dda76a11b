import { endpoint } from '#contracts/endpoint.ts'
import { PageOf, PageQuery } from '#contracts/values.ts'
import { CampaignState, CampaignSummary, Channel } from './campaign.ts'

/** Apart from the other endpoints of campaigns, so that a page that needs this one loads it alone. */
export const listCampaigns = endpoint('GET /api/campaigns', 'user', {
  summary: 'List campaigns, newest first',
  query: PageQuery.extend({
    state: CampaignState.optional(),
    channel: Channel.optional(),
  }),
  response: PageOf(CampaignSummary),
})
