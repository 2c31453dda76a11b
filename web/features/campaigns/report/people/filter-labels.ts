import type { Campaign, MessageState } from '#contracts/campaigns/campaign.ts'
import type { RecipientEvent } from '#contracts/campaigns/report/messages.ts'
import type { CampaignEmail } from '#contracts/campaigns/report/report.ts'

/** Which recipients a report shows. */
export interface RecipientFilter {
  state: MessageState | undefined
  event: RecipientEvent | undefined
  link: number | undefined
  client: string | undefined
  machine: boolean
  q: string | undefined
}

const events: Record<RecipientEvent, string> = {
  opened: 'Opened',
  clicked: 'Clicked',
  replied: 'Replied',
  unsubscribed: 'Unsubscribed',
  delivered: 'Delivered',
  read: 'Read',
  bounced: 'Bounced',
  not_opened: 'Not opened',
  no_response: 'No response',
}

const states: Record<MessageState, string> = {
  queued: 'Queued',
  sent: 'Sent',
  deferred: 'Deferred',
  failed: 'Failed',
  bounced: 'Bounced',
  suppressed: 'Suppressed',
  unconfirmed: 'Unconfirmed',
}

/** A filter in words, "Clicked “Read the story”", with the name a list of those people gets; `narrowed`: the chips do not tell it all. */
export function describeFilter(
  { event, state, link, client, machine, q }: RecipientFilter,
  { name }: Pick<Campaign, 'name'>,
  links: CampaignEmail['links'] | undefined,
): { words: string; narrowed: boolean; listName: string } {
  const done = event ? events[event] : state ? states[state] : 'Recipients'
  const label = link === undefined ? '' : links?.find((one) => one.link === link)?.label || `link ${link + 1}`
  const target = label ? ` “${label}”` : client ? ` in ${client === 'unknown' ? 'an unknown client' : client}` : ''
  const words = `${done}${target}${machine ? ' by bots' : ''}`
  const narrowed = link !== undefined || client !== undefined || machine
  return { words, narrowed, listName: `${words}${q ? ` (${q})` : ''}: ${name}`.slice(0, 120).toWellFormed() }
}
