import { createParts } from '#server/parts.ts'
import type { Db } from '#server/platform/db/database.ts'

/** What another feature stores of senders. It calls senders, so senders cannot call it: it adds its part. */
export interface SenderPart {
  /** Forgets a sender where it is not needed, in the transaction that removes it. A foreign key that is left refuses the removal. */
  forget(db: Db, workspaceId: string, senderId: string): Promise<void>
}

export const { add: addSenderPart, all: senderParts } = createParts<'campaigns', SenderPart>('a sender', ['campaigns'])
