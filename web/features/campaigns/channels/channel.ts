import type { Campaign, CampaignMessage, CampaignSummary, Live } from '#contracts/campaigns/campaign.ts'
import type { ProblemCode } from '#contracts/campaigns/check.ts'
import type { RecipientEvent } from '#contracts/campaigns/report/messages.ts'
import type { ChannelId } from '#web/channel-pages.ts'
import type { ChannelChoices } from '../wizard/choices.ts'
import type { FixPlace, StepId } from '../wizard/wizard-steps.ts'

/** A number of a campaign in the list of campaigns, shown with the rate it makes. */
export interface CampaignFigure {
  id: string
  header: string
  /** null: it was not counted. */
  count: (campaign: CampaignSummary) => number | null
  /** 0 to 1; null: of nothing, or not counted. */
  rate: (campaign: CampaignSummary) => number | null
}

/** Something a recipient did, as the report filters and shows it. */
export interface RecipientDeed {
  event: RecipientEvent
  label: string
  /** When they first did it; undefined: it is a filter only. */
  at?: (message: CampaignMessage) => string | null
  /** Whether it is known of this campaign's recipients at all. */
  isCounted: (campaign: Campaign) => boolean
}

/** What differs between the campaigns of one channel and another's: a folder each, all of them in index.ts. */
export interface Channel {
  id: ChannelId
  /** Its name in a sentence. */
  name: 'email' | 'Gmail' | 'WhatsApp'
  /** Makes a campaign; with `?id=` it opens a draft. */
  wizard: string
  /** All campaigns of the channel. */
  list: string
  /** The report of a campaign is below it. */
  reports: string
  /** The wizard's questions, in order. */
  steps: readonly StepId[]
  /** Whether replies may go to another address than the sender's. */
  hasReplyTo: boolean
  /** Whether opens and clicks can be tracked in total alone. */
  hasTotals: boolean
  /** Whether links of its emails can add tags. */
  hasLinkTags: boolean
  /** Whether sending hours are chosen with the time it is sent, and not in a step of their own. */
  hasHours: boolean
  /** Where each problem that the channel's check can find is fixed. */
  fixes: Partial<Record<ProblemCode, FixPlace>>
  /** What one of what is sent is called, and who takes it from us. */
  one: 'email' | 'message'
  taker: 'the mail server' | 'WhatsApp'
  /** Who gives the reasons of what failed. */
  rejectedBy: 'the mail server' | 'Meta'
  /** What a recipient is addressed by. */
  address: 'Address' | 'Number'
  /** What to do where there is no campaign yet. */
  invitation: string
  /** What its wizard starts with, besides a name and lists. */
  blankChoices: ChannelChoices
  /** What was chosen in a saved campaign of this channel. */
  readChoices: (campaign: Campaign) => ChannelChoices
  /** What it says, in a line: the subject, or what stands for one. */
  describeContent: (campaign: Campaign) => string
  /** What removing a campaign that was sent deletes, and what it leaves. */
  removal: string
  figures: readonly CampaignFigure[]
  deeds: readonly RecipientDeed[]
  /** Replies for the head of the report; undefined on channels that tell of them elsewhere, or of none. */
  replies?: (campaign: Campaign) => { value: string; note: string } | undefined
  /** Takes what an event of the live stream says beyond state and counts. */
  withLive?: (campaign: Campaign, live: Live) => Campaign
}
