/** What campaigns ask of segments: conditions over the contact `c`. */
import { type RawBuilder, sql } from 'kysely'
import { countLookups } from '#contracts/contacts/conditions.ts'
import type { Db } from '#server/platform/db/database.ts'
import { compileFilter } from './compile.ts'
import { findMissing } from './references.ts'
import { segmentsById } from './segments-store.ts'
import { type ContactRange, isContactAmong } from './sets.ts'

/** A segment of a campaign. */
export interface CompiledSegment {
  id: string
  name: string
  /** Its filter names something that was deleted: as long as it does, nobody is in it. */
  isIncomplete: boolean
  /** Conditions that keep a set of contacts in memory while they are asked. */
  lookups: number
  /** The condition over the contacts of a range; without one over all. */
  condition(within?: ContactRange): RawBuilder<boolean>
}

/** Those of these segments that exist, as conditions. */
export async function compileSegments(db: Db, workspaceId: string, ids: string[]): Promise<CompiledSegment[]> {
  const now = new Date()
  const compiled: CompiledSegment[] = []
  for (const { id, name, filter } of await segmentsById(db, workspaceId, ids)) {
    const isIncomplete = (await findMissing(db, workspaceId, filter)).length > 0
    const condition = (within?: ContactRange) =>
      isIncomplete ? sql<boolean>`false` : compileFilter({ workspaceId, now, within }, filter)
    compiled.push({ id, name, isIncomplete, lookups: countLookups(filter), condition })
  }
  return compiled
}

/** What lists say of a contact, over its memberships, of which there is one: `pending` as long as none is confirmed and one can be, `left_list` where it left all; else null. */
export const listStanding = (status: RawBuilder<unknown>) => sql<string | null>`case
  when bool_or(${status} = 'confirmed') then null when bool_or(${status} = 'pending') then 'pending' else 'left_list' end`

/** The same of the contact `c`, of a range; null: nothing. Only those are looked up of whom a list says anything but confirmed. */
export const contactStanding = (workspaceId: string, within?: ContactRange) => sql<string | null>`case
  when ${isContactAmong(sql`select contact_id from list_members where workspace_id = ${workspaceId} and status <> 'confirmed'`, within)}
  then (select ${listStanding(sql`lm.status`)} from list_members lm where lm.workspace_id = ${workspaceId} and lm.contact_id = c.id) end`

/** Whether a segment asks for a list. */
export async function isListInSegments(db: Db, workspaceId: string, listId: string): Promise<boolean> {
  const { rows } = await sql`select from segments where workspace_id = ${workspaceId} and jsonb_path_exists(filter,
      '$.** ? (@.field == "list" && @.value == $id)', jsonb_build_object('id', ${listId}::text)) limit 1`.execute(db)
  return rows.length > 0
}
