import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { ConsentProof } from '#contracts/whatsapp/consents.ts'
import { createParts } from '#server/parts.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { ErasedAddresses } from './erasure/erased.ts'

/** How people consented to WhatsApp messages. */
export type WhatsAppProof = z.output<typeof ConsentProof>

/** What another feature stores of contacts. It calls contacts, so contacts cannot call it: it adds its part. */
export interface ContactPart {
  /** Deletes what goes with removed contacts, in the transaction that removes them. */
  deleteWith?(db: Db, workspaceId: string, contactIds: string[]): Promise<void>
  /** What goes with removed contacts and is put back with them; it is set aside under the name of its table. */
  aside?: {
    table: string
    /** Reads it as a text by the id of each contact, in the transaction that removes them. */
    read(db: Db, workspaceId: string, contactIds: string[]): Promise<Map<string, string>>
    /** Puts it back, in the transaction that puts the contacts back. */
    putBack(db: Db, workspaceId: string, texts: string[]): Promise<void>
  }
  /**
   * Takes an erased person out of what is stored, and returns whether something of theirs is under way, so that it has to be
   * looked at again. Rejects where the signal ends it; the erasure goes on later.
   */
  erase?(db: Db, who: ErasedAddresses, signal: AbortSignal): Promise<boolean>
  /** Gives what is stored of a contact to another one, in the transaction that merges them. Returns the ids of what was moved, by name. */
  merge?(db: Db, workspaceId: string, from: string, to: string): Promise<Record<string, string[]>>
  /** Gives back what all parts moved, where a merge is undone: what is its own. */
  unmerge?(db: Db, workspaceId: string, moved: Record<string, string[]>, to: string): Promise<void>
  /** A condition over the contact `c`: whether they consented to messages of a purpose, or to any. */
  consented?(workspaceId: string, purpose?: string): RawBuilder<boolean>
  /** Records the consent of contacts, given by one proof, in the transaction `db`. Returns its id by the id of each contact: some cannot consent. */
  recordConsents?(
    db: Db,
    by: { workspaceId: string; email: string },
    contactIds: string[],
    proof: WhatsAppProof,
  ): Promise<Record<string, string>>
  /** Lets contacts enter a journey, in the transaction `db`. Returns the ids of those who entered. */
  enrol?(db: Db, workspaceId: string, journeyId: string, contactIds: string[]): Promise<string[]>
  /** Takes back consents by their ids, those on which nothing was sent. Returns of how many contacts. */
  withdrawConsents?(db: Db, workspaceId: string, ids: string[]): Promise<number>
}

/** Campaigns first: what they still send to somebody becomes a row of WhatsApp. */
export const { add: addContactPart, all: contactParts } = createParts<
  'campaigns' | 'whatsapp' | 'collector' | 'journeys',
  ContactPart
>('a contact', ['campaigns', 'whatsapp', 'collector', 'journeys'])
