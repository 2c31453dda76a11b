import type { Address } from '#contracts/email-address.ts'
import type { SendResult } from '#server/engine/index.ts'
import { createParts } from '#server/parts.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'

/** Messages reserved before they leave. */
interface ReservedMessages {
  /** How many may leave now. */
  allowed: number
  /** Sets what is counted to what was used: of the sender's day `handed`, of the month `sent`. */
  settle(handed: number, sent: number): Promise<void>
}

/** An email beside campaigns, made and signed. */
export interface SingleEmail {
  workspaceId: string
  senderId: string
  from: string
  to: string
  data: Uint8Array
  needsSmtpUtf8: boolean
}

/**
 * What became of a single email. `replied`: by the mail server, or it stopped and nobody knows. Otherwise it certainly did not leave:
 * `later`: its receiver takes none before a moment; `busy`: campaigns have all of the sender's limits; `unreachable`: nothing leaves
 * through the sender now.
 */
export type Handed =
  | { kind: 'replied'; result: SendResult }
  | { kind: 'later'; until: Date; problem: string }
  | { kind: 'busy' }
  | { kind: 'unreachable'; problem: string }

/** What another feature stores of senders. It calls senders, so senders cannot call it: it adds its part. */
export interface SenderPart {
  /** Forgets a sender where it is not needed, in the transaction that removes it. A foreign key that is left refuses the removal. */
  forget(db: Db, workspaceId: string, senderId: string): Promise<void>
  /** What refuses the removal of a sender, the first first. */
  listUses(db: Db, workspaceId: string, senderId: string): Promise<{ kind: 'campaign' | 'journey'; name: string }[]>
  /** Reserves up to `wanted` messages of the sender's rolling day and of the emails of the workspace's month. */
  reserve(
    services: Pick<Services, 'db' | 'queue'>,
    workspaceId: string,
    sender: { id: string; dayLimit: number | null },
    wanted: number,
  ): Promise<ReservedMessages>
  /** Reserves up to `wanted` messages of the sender's rolling day alone. */
  reserveDay(
    services: Pick<Services, 'db'>,
    workspaceId: string,
    sender: { id: string; dayLimit: number | null },
    wanted: number,
  ): Promise<Pick<ReservedMessages, 'allowed'> & { settle(handed: number): Promise<void> }>
  /**
   * Hands one email to the mail server of a sender, within the limits that its campaigns use at the same time. `begin` runs once
   * its turn has come: from then on it may have arrived. Where it returns false the email does not leave.
   */
  handOver(services: Pick<Services, 'live'>, email: SingleEmail, begin: () => Promise<boolean>): Promise<Handed>
  /** Makes due at once what waits for receivers of these senders. */
  sendWaiting(services: Pick<Services, 'db' | 'live'>, workspaceId: string, senderIds: readonly string[]): Promise<void>
  /** Throws Refusal 409 where an address is on the suppression list of the workspace, however it is written. */
  refuseSuppressed(db: Db, workspaceId: string, to: Address): Promise<void>
}

export const { add: addSenderPart, all: senderParts } = createParts<'campaigns', SenderPart>('a sender', ['campaigns'])

/** Reserves what is sent beside campaigns, where they count it: see SenderPart.reserve. */
export const reserveBudget: SenderPart['reserve'] = (...given) => (senderParts()[0] as SenderPart).reserve(...given)

/** Reserves of a sender's day what counts in the month by itself: see SenderPart.reserveDay. */
export const reserveDay: SenderPart['reserveDay'] = (...given) => (senderParts()[0] as SenderPart).reserveDay(...given)

/** Sends one email beside campaigns, through what they send through: see SenderPart.handOver. */
export const handOverSingle: SenderPart['handOver'] = (...given) => (senderParts()[0] as SenderPart).handOver(...given)
