import type { Db } from '#server/platform/db/database.ts'

/** What is known of a message beside its row and its events. */
export interface MessageFacts {
  repliedAt: Date | null
  bouncedAt: Date | null
  /** Of messages over WhatsApp. */
  deliveredAt?: Date | null
  readAt?: Date | null
  unsubscribedAt?: Date | null
}

/** What can be known of the emails of a campaign after they were accepted, and since when. */
export interface Observation {
  bounces: boolean
  complaints: boolean
  since: Date | null
}

/** What campaigns know of their messages. */
export interface MessagePart {
  /** Of a campaign over `channel`; undefined: its service tells of every failure by itself. */
  observe(db: Db, workspaceId: string, channel: string, campaignId: string): Promise<Observation | undefined>
  /** Of a message of a campaign over `channel`; undefined: nothing beside its row. */
  readFacts(db: Db, workspaceId: string, channel: string, messageId: string): Promise<MessageFacts | undefined>
}

let part: MessagePart | undefined

/** Adds the part of features/campaigns, which does so when it is loaded: it calls tracking, so tracking cannot call it. */
export function addMessagePart(given: MessagePart): void {
  part = given
}

/** The part of campaigns. Throws where they were not loaded. */
export function messagePart(): MessagePart {
  if (!part) throw new Error('features/campaigns was not loaded: replies to its messages would be missing')
  return part
}
