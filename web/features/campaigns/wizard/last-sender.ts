import { useMailServers } from '#web/features/senders/index.ts'
import { useChannel } from '../channels/index.ts'
import { useCampaigns } from '../queries.ts'
import type { WizardChoices } from './choices.ts'

/** The campaign of the channel that was made last; null: there is none, undefined: not known yet. */
export function useLastCampaign() {
  const { data, isError } = useCampaigns({ channel: useChannel().id, limit: 1 })
  return data ? (data.items[0] ?? null) : isError ? null : undefined
}

/** The sender used last, or else the default one, or the only one. undefined until it is known. */
export function useLastSender(): Partial<WizardChoices> | undefined {
  const last = useLastCampaign()
  const { servers, isError } = useMailServers()
  if (isError) return {}
  if (last === undefined || !servers) return undefined
  const sender =
    servers.find(({ id }) => id === last?.senderId) ?? servers.find(({ isDefault }) => isDefault) ?? servers[0]
  return sender ? { senderId: sender.id } : {}
}
