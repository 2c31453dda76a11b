import type { RecipientEvent } from '#contracts/campaigns/report/messages.ts'

/** Which recipients a number counts, as the address of the report has it. */
export interface PeopleFilter {
  event?: RecipientEvent
  state?: string
  /** The number of a link. */
  link?: number
  client?: string
  /** Bots instead of people. */
  machine?: boolean
}

/** The address of a list of people; a report that is shared has none. */
export type PeopleLink = ((filter: PeopleFilter) => string) | undefined

/** The parameters of the recipients' filter besides the event. */
export const FURTHER_FILTERS = ['link', 'client', 'machine']

/** The address of the recipients below the report that a filter finds. */
export function peopleLink(filter: PeopleFilter): string {
  const given = Object.entries(filter).map(([name, value]) => [name, String(value)])
  return `?${new URLSearchParams(given)}#recipients`
}
