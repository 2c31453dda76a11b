import type { Campaign } from '#contracts/campaigns/campaign.ts'
import type { WhatsAppContent } from '#contracts/campaigns/channels/whatsapp/campaign.ts'
import { formatDay } from '#web/ui/lib/format.ts'
import type { AudienceIds } from '../audience/names.ts'

type SharedChoices = Pick<Campaign, 'name'> & AudienceIds

/** What wizards ask in some channels only, with the fields of every channel. */
export interface ChannelChoices
  extends Pick<
    Campaign,
    | 'senderId'
    | 'senderIds'
    | 'subject'
    | 'preheader'
    | 'fromName'
    | 'replyTo'
    | 'templateId'
    | 'html'
    | 'trackOpens'
    | 'trackClicks'
    | 'trackingMode'
    | 'linkTags'
    | 'window'
    | 'spread'
  > {
  whatsapp: WhatsAppContent | undefined
}

/** What is chosen in a wizard. */
export type WizardChoices = SharedChoices & ChannelChoices

/** The choices of a channel that asks for none. Each channel starts from them. */
export const noChoices: ChannelChoices = {
  senderId: null,
  senderIds: [],
  subject: '',
  preheader: '',
  fromName: '',
  replyTo: null,
  templateId: null,
  html: '',
  trackOpens: true,
  trackClicks: true,
  trackingMode: 'individual',
  linkTags: [],
  window: null,
  spread: false,
  whatsapp: undefined,
}

/** The name of a campaign that has no subject yet. */
const nameOfDay = (createdAt: string) => `Campaign ${formatDay(createdAt)}`

/** What a new campaign starts with: a name, and what its channel starts with. */
export const startChoices = (blank: ChannelChoices): WizardChoices => ({
  name: nameOfDay(new Date().toISOString()),
  ...{ listIds: [], segmentIds: [], excludeListIds: [], excludeSegmentIds: [] },
  ...blank,
})

/**
 * Whether a text was stored without the spaces around it: what is shown stays as it was typed, because the next word may follow
 * the space.
 */
export const wasTrimmed = (typed: unknown, stored: unknown): boolean =>
  typeof typed === 'string' && typed !== stored && typed.trim() === stored

/** A subject as a campaign's name: without Liquid, at most 120 characters. Empty where nothing is left. */
export const nameFromSubject = (subject: string): string =>
  subject
    .replace(/\{\{.*?\}\}|\{%.*?%\}/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/[ ,]+(?=[.!?:;])| (?=,)/g, '')
    .replace(/^[\s,.:;!?-]+/, '')
    // What led to a variable at the end: "News for".
    .replace(/[\s,:-]+(?:for|to|with|from)?\s*$/i, '')
    .trim()
    .slice(0, 120)
    .trim()

/**
 * The name a campaign gets with a new subject: its words, as long as the name was not edited. undefined: it stays as it is.
 * `createdAt`: when the draft was made.
 */
export function followSubject(
  { name, subject }: Pick<WizardChoices, 'name' | 'subject'>,
  next: string,
  createdAt: string,
): string | undefined {
  const first = nameOfDay(createdAt)
  if (name.trim() !== '' && name !== first && name !== nameFromSubject(subject)) return undefined
  const followed = nameFromSubject(next) || first
  return followed === name ? undefined : followed
}
