import type { Db } from '#server/platform/db/database.ts'
import type { Erased } from './erasure/erased.ts'

/** What another feature stores of contacts. It calls contacts, so contacts cannot call it: it adds its part when it is loaded. */
export interface ContactPart {
  /** Deletes what goes with a removed contact, in the transaction that removes it. */
  deleteWith?(db: Db, workspaceId: string, contactId: string): Promise<void>
  /**
   * Takes an erased person out of what is stored, and returns whether something of theirs is under way, so that it has to be
   * looked at again. Rejects where the signal ends it; the erasure goes on later.
   */
  erase?(db: Db, who: Erased, signal: AbortSignal): Promise<boolean>
}

const parts: ContactPart[] = []

export function addContactPart(part: ContactPart): void {
  parts.push(part)
}

/** The parts of the other features. Throws where none was loaded: what they store would outlive the person. */
export function contactParts(): readonly ContactPart[] {
  if (parts.length === 0) throw new Error('no feature has added what it stores of contacts')
  return parts
}
