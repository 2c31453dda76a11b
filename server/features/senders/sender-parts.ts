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

/** What another feature stores of senders. It calls senders, so senders cannot call it: it adds its part. */
export interface SenderPart {
  /** Forgets a sender where it is not needed, in the transaction that removes it. A foreign key that is left refuses the removal. */
  forget(db: Db, workspaceId: string, senderId: string): Promise<void>
  /** Reserves up to `wanted` messages of the sender's rolling day and of the emails of the workspace's month. */
  reserve(
    services: Pick<Services, 'db' | 'queue'>,
    workspaceId: string,
    sender: { id: string; dayLimit: number | null },
    wanted: number,
  ): Promise<ReservedMessages>
}

export const { add: addSenderPart, all: senderParts } = createParts<'campaigns', SenderPart>('a sender', ['campaigns'])

/** Reserves what is sent beside campaigns, where they count it: see SenderPart.reserve. */
export const reserveBudget: SenderPart['reserve'] = (...given) => (senderParts()[0] as SenderPart).reserve(...given)
