import type { ConnectionPools, Signer, Tokens } from '#server/engine/index.ts'
import type { SendingAccount } from '#server/features/senders/index.ts'
import type { Config } from '#server/platform/config.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import type { Queue } from '#server/platform/queue.ts'
import type { ChannelClient } from '../channels/channel.ts'
import type { ClaimLeases } from './lease.ts'
import type { Shares } from './shares/shares.ts'

/** What every running campaign of this thread shares. */
export interface Sending {
  db: Db
  log: Log
  tokens: Tokens
  pools: ConnectionPools
  folder: string
  home: string
  worker: string
  /** Aborts when the process stops, and not when a campaign is paused. */
  stopping: AbortSignal
  /** Claims being worked on here. */
  claims: ClaimLeases
  /** What this thread may use of each sender. */
  shares: Shares
  /** Reaches the queue, which is in the request thread. */
  queue: Pick<Queue, 'enqueue'>
  config: Pick<Config, 'secretKey'>
  /** The clients of the services that channels send over, by channel. */
  clients: ReadonlyMap<string, ChannelClient>
  account(workspaceId: string, senderId: string): Promise<SendingAccount | undefined>
  /** What signs emails from an address that leave through the account. Rejects with UnusableSender where its key cannot be read. */
  signer(workspaceId: string, account: SendingAccount, from: string): Promise<Signer | undefined>
  /** Where bounces of emails from an address return to, by recipient; undefined: to the address itself. */
  returnPath(
    workspaceId: string,
    account: SendingAccount,
    from: string,
  ): Promise<((recipientId: string) => string) | undefined>
  /** Where the links of emails from an address lead; undefined: to the address the plan was made with. */
  linkBase(workspaceId: string, from: string): Promise<string | undefined>
  /** Notes the message of a claim that is being made, for the watchdog of the thread; null: none is. */
  hold(claimId: string, messageId: string | null): void
  /** Ends the thread: what is in flight is cut off, and the next thread settles it by the journals. */
  crash(error: unknown): Promise<never>
}

export interface RunningCampaign {
  id: string
  workspaceId: string
  channel: string
  senderId: string | null
  /** Some of its recipients are told where their address was found. */
  tellsOrigins: boolean
  /** With follow-ups: every step's campaign, the first one's leading. The state of all is the first one's. */
  sequence?: string[]
}

/** When to look at the campaign again, in milliseconds from now, and why it waits. `blocked`: until somebody lets the account send. */
export type SenderRest = { again: number; text?: string; blocked?: boolean }
