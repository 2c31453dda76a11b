import { type RawBuilder, sql } from 'kysely'
import { type Condition, type ContactFilter, type ContactStatus, isGroup } from '#contracts/contacts/conditions.ts'
import type { Db } from '#server/platform/db/database.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import type { ContactMatch } from '../pages-store.ts'
import { findTagId } from '../tags/tags.ts'
import { compileFilter } from './compile.ts'
import { findMissing, requireReferences } from './references.ts'
import { segmentById } from './segments-store.ts'

/** No row has it. */
const NO_ID = '0'

/** The condition of a filter, over the contact `c`; nobody, as long as something it names is missing. */
async function toCondition(db: Db, workspaceId: string, filter: ContactFilter): Promise<RawBuilder<boolean>> {
  if ((await findMissing(db, workspaceId, filter)).length > 0) return sql`false`
  return compileFilter({ workspaceId, now: new Date() }, filter)
}

/** Which of some contacts a filter finds, at the time `now`; none, as long as something it names is missing. Costs what these contacts do. */
export async function matchContacts(
  db: Db,
  workspaceId: string,
  filter: ContactFilter,
  ids: readonly string[],
  now = new Date(),
): Promise<Set<string>> {
  if (ids.length === 0 || (await findMissing(db, workspaceId, filter)).length > 0) return new Set()
  const within = { after: '0', until: '0', extra: [...ids] }
  const { rows } = await sql<{ id: string }>`select c.id from contacts c
    where c.workspace_id = ${workspaceId} and c.id = any(${ids}::bigint[])
      and ${compileFilter({ workspaceId, now, within }, filter)}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Takes over what the pages of contacts look for in a way of their own, which their indexes serve. */
function hoist(match: ContactMatch, { field, is, value }: Condition): boolean {
  if (is !== 'equal' && is !== 'containing') return false
  const text = String(value)
  if (field === 'list' && match.listId === undefined) match.listId = text
  else if (field === 'tag' && match.tag === undefined) match.tag = text
  // Of the usual status each contact is asked there, which takes several times as long as looking for those that stand out.
  else if (field === 'status' && match.status === undefined && text !== 'subscribed')
    match.status = text as ContactStatus
  else if (field === 'source' && match.source === undefined) match.source = text
  else if (field === 'search' && match.q === undefined) match.q = text.trim() || undefined
  else return false
  return true
}

/** What a filter asks of contacts. */
export async function filterMatch(db: Db, workspaceId: string, filter: ContactFilter): Promise<ContactMatch> {
  const match: ContactMatch = {}
  const missing = await findMissing(db, workspaceId, filter)
  if (missing.length > 0) return { where: sql`false` }
  const items = filter.op === 'and' ? filter.items.filter((item) => isGroup(item) || !hoist(match, item)) : filter.items
  if (items.length > 0) match.where = compileFilter({ workspaceId, now: new Date() }, { ...filter, items })
  return match
}

/** What the parameters of a list of contacts ask for. Throws Refusal 404 for a segment, and 400 for names in a filter, that the workspace does not have. */
export async function queryMatch(
  db: Db,
  workspaceId: string,
  query: ContactMatch & { segmentId?: string | undefined; filter?: ContactFilter | undefined },
): Promise<ContactMatch> {
  const { segmentId, filter, ...match } = query
  if (match.tag !== undefined) match.tag = (await findTagId(db, workspaceId, match.tag)) ?? NO_ID
  const conditions: RawBuilder<boolean>[] = []
  if (segmentId !== undefined) {
    const segment = await segmentById(db, workspaceId, segmentId)
    if (!segment) throw notFound('Segment')
    conditions.push(await toCondition(db, workspaceId, segment.filter))
  }
  if (filter !== undefined) {
    await requireReferences(db, workspaceId, 'filter', filter)
    conditions.push(await toCondition(db, workspaceId, filter))
  }
  if (conditions.length === 0) return match
  return {
    ...match,
    where: sql`${sql.join(
      conditions.map((one) => sql`(${one})`),
      sql` and `,
    )}`,
  }
}
