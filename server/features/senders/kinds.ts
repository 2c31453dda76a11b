import type { Db } from '#server/platform/db/database.ts'
import { invalid } from '#server/platform/http/refusal.ts'
import type { KindField, KindSender, NewSender, SenderChange, SenderKind, SenderServices } from './sender-kind.ts'
import { smtp } from './smtp.ts'
import type { SenderRow } from './store.ts'

const kinds = new Map<string, SenderKind>([[smtp.id, smtp]])

/** Adds the kind of sender of another feature, which does so when it is loaded. */
export function addSenderKind(kind: SenderKind): void {
  kinds.set(kind.id, kind)
}

/** The kind of a sender. Throws where this version knows none of that name. */
export function findSenderKind(id: string): SenderKind {
  const kind = kinds.get(id)
  if (!kind) throw new Error(`There is no kind of sender ${id}`)
  return kind
}

/** Refuses what only senders of another kind have. Throws Refusal 400. */
export function refuseOtherFields(id: string, given: Partial<NewSender & SenderChange>): void {
  const isGiven = {
    receiverLimits: given.receiverLimits !== undefined,
    rampUp: given.rampUp !== undefined,
    reads: given.reads !== undefined,
    'limits.perMinute': given.limits?.perMinute !== undefined,
  } satisfies Record<KindField, boolean>
  const own = findSenderKind(id).fields
  for (const { fields, senders } of kinds.values())
    for (const field of fields) if (isGiven[field] && !own.includes(field)) throw invalid(field, `is for ${senders}`)
}

/** Senders of a workspace with what their kinds add, by id; without those that were removed meanwhile. */
export async function readSenders(
  services: SenderServices,
  db: Db,
  workspaceId: string,
  rows: SenderRow[],
): Promise<Map<string, KindSender>> {
  const found = new Map<string, KindSender>()
  for (const [kind, ofKind] of Map.groupBy(rows, (row) => row.kind))
    for (const [id, sender] of await findSenderKind(kind).read(services, db, workspaceId, ofKind)) found.set(id, sender)
  return found
}
