import type { SearchResults } from '#contracts/search/search.ts'

type FoundCampaign = SearchResults['campaigns'][number]

const channels: Record<FoundCampaign['channel'], string> = { email: 'Email', gmail: 'Gmail', whatsapp: 'WhatsApp' }

/** "Gmail campaign", "Email draft". */
export const campaignNote = ({ channel, state }: FoundCampaign): string =>
  `${channels[channel]} ${state === 'draft' ? 'draft' : 'campaign'}`

/** "Paused": every found journey says its state. */
export const journeyNote = ({ state }: SearchResults['journeys'][number]): string =>
  `${state.charAt(0).toUpperCase()}${state.slice(1)}`
