import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { holding } from '#server/platform/db/like.ts'

/** Up to this many people are looked up by the indexes of their lines; lines of more are so frequent that walking finds them. */
const FEW = 200

/** The users a part of an address names: their ids where they are few, else the condition itself. */
export type People = { ids: string[] } | { like: string }

/** Whom a part of an address names. A log of a million lines is not searched through for a text: people are few. */
export async function peopleLike(db: Db, q: string): Promise<People> {
  const like = holding(q)
  const rows = await db
    .selectFrom('users')
    .where('emailKey', 'like', like)
    .select('id')
    .limit(FEW + 1)
    .execute()
  return rows.length > FEW ? { like } : { ids: rows.map((row) => row.id) }
}

export interface AuditFilter {
  action?: string | undefined
  user?: string | undefined
  /** Whose lines; see peopleLike. */
  people?: People | undefined
  since?: string | undefined
  until?: string | undefined
}

function filtered(db: Db, { action, user, people, since, until }: AuditFilter) {
  let query = db.selectFrom('auditLog')
  if (action) query = query.where('action', '=', action)
  if (user) query = query.where((where) => where.or([where('actorId', '=', user), where('subjectId', '=', user)]))
  if (people) {
    const who =
      'ids' in people
        ? sql`any(${people.ids}::bigint[])`
        : sql`any(select id from users where email_key like ${people.like})`
    query = query.where(sql<boolean>`(actor_id = ${who} or subject_id = ${who})`)
  }
  if (since) query = query.where('at', '>=', new Date(since))
  if (until) query = query.where('at', '<', new Date(until))
  return query
}

export type AuditRow = Awaited<ReturnType<typeof auditPage>>[number]

/** Newest first; `before` is the last id of the page before. */
export function auditPage(db: Db, filter: AuditFilter, page: { limit: number; before?: string | undefined }) {
  let query = filtered(db, filter).selectAll().orderBy('id', 'desc').limit(page.limit)
  if (page.before) query = query.where('id', '<', page.before)
  return query.execute()
}

/** How many lines a filter leaves, counted no further than `most`. */
export async function countLines(db: Db, filter: AuditFilter, most: number): Promise<number> {
  const { n } = await db
    .selectFrom(filtered(db, filter).select('id').limit(most).as('counted'))
    .select((select) => select.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}
