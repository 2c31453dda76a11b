import type { FastifyInstance } from 'fastify'
import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Campaign } from '#contracts/campaigns/campaign.ts'
import type { campaigns } from '#contracts/campaigns/campaigns.ts'
import type { Forecast } from '#contracts/campaigns/channels/gmail/campaign.ts'
import type { AudienceCount, Exclusion } from '#contracts/campaigns/check.ts'
import type { RecipientEvent } from '#contracts/campaigns/report/messages.ts'
import type { ResponseBody } from '#contracts/endpoint.ts'
import type { CountedUse } from '#server/features/billing/index.ts'
import type { ErasedAddresses } from '#server/features/contacts/index.ts'
import type { MessageFacts, Observation } from '#server/features/tracking/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import type { Services } from '#server/services.ts'
import type { Audience } from '../audience/audience.ts'
import type { CampaignRow } from '../campaign-rows.ts'
import type { RunningCampaign, SenderRest, Sending } from '../sending/sending.ts'
import type { Settle } from '../sending/settle.ts'
import type { ChannelColumns } from '../store.ts'
import type { Problem } from './problem.ts'

type NewCampaign = z.output<typeof campaigns.create.body>

/** A draft as it is given, with the fields of every channel the contract knows. */
export type CampaignDraft = Pick<NewCampaign, 'name'> & Partial<Omit<NewCampaign, 'channel'>> & { channel: string }

/** What a draft of a channel may say. */
export interface DraftRules {
  /** Fields that drafts of other channels are refused with. */
  fields: readonly (keyof CampaignDraft)[]
  /** Whether a new draft gets the sender of the installation. */
  hasDefaultSender: boolean
  /** Why a sender of a kind (`smtp`, `gmail`) is not for this channel; undefined: it is. */
  refuseSender(kind: string): string | undefined
  /** Throws Refusal 400 where a field of this channel names what is not the workspace's. */
  check?(db: Db, workspaceId: string, draft: Partial<CampaignDraft>): Promise<void>
  /** The accounts it goes through, the first leading, where it goes through several; undefined: the draft does not say. */
  accounts?(draft: Partial<CampaignDraft>): string[] | undefined
  /** How its fields are stored with the campaign; a draft over another channel may empty them. */
  columns?(draft: Partial<CampaignDraft>): ChannelColumns
}

/** What the check of a channel found. */
export interface Checked {
  problems: Problem[]
  /** People it would go to. */
  recipients: number
  excluded: Exclusion[]
  /** The links of an email, each once. */
  links?: string[]
}

/** What a campaign is started with. */
export interface Launch {
  /** The frozen content. Plain JSON, for `run`. */
  plan: object
  /** Some recipients are told where their address was found. */
  tellsOrigins: boolean
  /** Freezes what belongs to the plan elsewhere; missing: nothing does. A launch that was cut off freezes it again. */
  freeze?(db: Db): Promise<void>
  /**
   * Writes one message for each recipient among a slice of the audience, those skipped included. It is called for slice after
   * slice, each in a transaction, and again for slices that a launch had written before it was cut off.
   */
  writeAudience(db: Db, slice: Audience): Promise<void>
}

/** Why a campaign cannot start, in words, and what it is then. */
export interface LaunchFault {
  fault: string
  state: 'draft' | 'failed'
}

/** What the sending thread runs a campaign with. */
export interface Launched {
  /** What was frozen at the launch. */
  plan: unknown
  /** What `connect` returned. */
  client: ChannelClient | undefined
}

/** The client of the service a channel sends over. */
export interface ChannelClient {
  close(): Promise<void>
}

/** A test message: to whom, which message of the sequence, and through which account. */
export type Trial = z.output<typeof campaigns.test.body>

/** Fields of the contract that only the campaigns of one channel have. */
export type FieldsOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>

/**
 * A way campaigns reach people. Everything that differs between them is said here, once a channel; nothing outside of
 * channels/ asks which one a campaign has. How to add one: docs/architecture.md.
 */
export interface Channel {
  /** As campaigns.channel has it, and the contract. */
  id: string
  /** Its campaigns, in words: "Gmail campaigns". */
  campaigns: string
  /** Whether only paid plans may send over it. */
  isPaid: boolean
  /** The limit of a month its messages are counted against. */
  counts: CountedUse
  draft: DraftRules
  /** Finds what would stop or hurt a campaign, and how many people it would go to. `isOwn`: it is about to be sent. */
  check(services: Services, campaign: CampaignRow, isOwn: boolean): Promise<Checked>
  /** Counts who a campaign would go to, and who is skipped. Throws Refusal 429. */
  countAudience(services: Services, campaign: CampaignRow): Promise<AudienceCount>
  /** Sends one real message that counts in no report. Throws Refusal 400, 402, 409 and 429. */
  test(
    services: Services,
    caller: Caller,
    campaign: CampaignRow,
    trial: Trial,
  ): Promise<ResponseBody<typeof campaigns.test>>
  /** Makes what is frozen when a campaign starts, or says why it cannot. */
  plan(services: Services, campaign: CampaignRow): Promise<Launch | LaunchFault>
  /** What the sending thread needs to reach the service it sends over, beside senders. Plain data: it crosses to that thread. */
  threadData?(services: Services): unknown
  /** Makes the client of that service in the sending thread, once, of what `threadData` returned; undefined: not configured. */
  connect?(data: unknown): ChannelClient | undefined
  /** Sends what is due, through dispatch(), until nothing is or `signal` aborts. Returns when to look again. */
  run(sending: Sending, campaign: RunningCampaign, launched: Launched, signal: AbortSignal): Promise<SenderRest>
  /** Writes what became of the messages of one claim; also for what a process that died left in its journal. */
  settle: Settle
  /** When a campaign goes on and ends: one that sends, or a draft sent now to `people`. Missing: it waits for nothing. */
  forecast?(db: Db, campaign: CampaignRow, people?: number): Promise<Forecast | null>
  /** Which of the messages `messages` may be queued again when a person asks for it; missing: all that failed. */
  mayRetry?: RawBuilder<boolean>
  /** Mounts the endpoints that only its campaigns have. `show` returns a campaign as the contract has it. */
  mount?(app: FastifyInstance, services: Services, show: (workspaceId: string, id: string) => Promise<Campaign>): void
  /** Handles the background work that only its campaigns have. */
  handleJobs?(services: Services): Promise<void>
  /** What campaigns over other channels have in the fields of this one; missing: it has none of its own. */
  absent?: object
  /** Reads the fields only its campaigns have, by id; missing: it has none. `isWhole`: of one campaign, and not of a list. */
  present?(db: Db, workspaceId: string, rows: CampaignRow[], isWhole: boolean): Promise<Map<string, object>>
  /** Reads the fields only its messages have (MessageOfChannels), by id, in one query for a page of them. */
  presentMessages?(db: Db, workspaceId: string, messageIds: string[]): Promise<Map<string, object>>
  /** Events of recipients that only this channel knows: statements of `message_id` and `at`. */
  recipientEvents?: Partial<
    Record<RecipientEvent, (campaign: { workspaceId: string; id: string }) => RawBuilder<unknown>>
  >
  /** Says in words what a campaign was sent from, where that is no email address. */
  describeSender?(db: Db, campaign: CampaignRow): Promise<string>
  /** What it sends is email: with a plan of the engine, a subject, opens and links. */
  isEmail?: true
  /** A person resumes a campaign of it; missing: nothing else follows. */
  resume?(db: Db, workspaceId: string, campaignId: string): Promise<void>
  /** What can be known of the emails of a campaign after they were accepted; missing: its service tells of every failure. */
  observe?(db: Db, workspaceId: string, campaignId: string): Promise<Observation>
  /** Reads what it knows of one message beside its row; missing: nothing. */
  messageFacts?(db: Db, workspaceId: string, messageId: string): Promise<MessageFacts | undefined>
  /** Takes an erased person out of what it stores of these messages, in the transaction that clears the messages. */
  eraseMessages?(db: Db, who: ErasedAddresses, messageIds: string[]): Promise<void>
}
