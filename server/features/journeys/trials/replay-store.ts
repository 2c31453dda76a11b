/** Who would have entered a journey. */
import { sql } from 'kysely'
import type { JourneyTrigger } from '#contracts/journeys/definition.ts'
import { compileSegments } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { findOccurrences } from '../triggers/triggers-store.ts'

/** A contact with the first time of what its trigger waits for. */
export interface Entrant {
  contactId: string
  at: Date
}

/** Whom a trigger was about in the last days, the newest first, up to `limit`. Of a segment everybody who is in it now. */
export async function listEntrants(
  db: Db,
  workspaceId: string,
  trigger: JourneyTrigger,
  days: number,
  limit: number,
): Promise<Entrant[]> {
  const { rows: times } = await sql<{ since: string }>`
    select (now() - make_interval(days => ${days}))::text as since`.execute(db)
  const since = times[0]?.since ?? 'infinity'
  const occurrences =
    findOccurrences(workspaceId, trigger, { since, activated: since }) ?? (await findMembers(db, workspaceId, trigger))
  if (!occurrences) return []
  const { rows } = await sql<Entrant>`
    select o.contact_id, min(o.at) as at from (${occurrences}) o join contacts c on c.workspace_id = ${workspaceId} and c.id = o.contact_id
    group by o.contact_id order by 2 desc, 1 desc limit ${limit}`.execute(db)
  return rows
}

async function findMembers(db: Db, workspaceId: string, trigger: JourneyTrigger) {
  if (trigger.kind !== 'segment' || trigger.segmentId === null) return undefined
  const [segment] = await compileSegments(db, workspaceId, [trigger.segmentId])
  return (
    segment &&
    sql`select c.id as contact_id, now() as at from contacts c where c.workspace_id = ${workspaceId} and ${segment.condition()}`
  )
}

/** The addresses and names of contacts by their ids. */
export async function nameContacts(
  db: Db,
  workspaceId: string,
  ids: string[],
): Promise<Map<string, { email: string | null; name: string }>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('contacts')
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .select(['id', 'email', 'name'])
    .execute()
  return new Map(rows.map(({ id, email, name }) => [id, { email, name }]))
}
