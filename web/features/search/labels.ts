import type { SearchResults } from '#contracts/search/search.ts'

type FoundCampaign = SearchResults['campaigns'][number]

const channels: Record<FoundCampaign['channel'], string> = { email: 'Email', gmail: 'Gmail', whatsapp: 'WhatsApp' }

/** "Gmail campaign", "Email draft". */
export const campaignNote = ({ channel, state }: FoundCampaign): string =>
  `${channels[channel]} ${state === 'draft' ? 'draft' : 'campaign'}`
