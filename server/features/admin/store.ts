import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { holding } from '#server/platform/db/like.ts'

export interface UserFilter {
  q?: string | undefined
  role?: string | undefined
  plan?: string | undefined
  state?: 'active' | 'unverified' | 'suspended' | undefined
}

/** The users a filter leaves. Admins look after all of them, so there is no workspace here. */
function filtered(db: Db, { q, role, plan, state }: UserFilter) {
  let query = db.selectFrom('users')
  if (q) {
    const like = holding(q)
    query = query.where((where) =>
      where.or([where('emailKey', 'like', like), where(sql<string>`lower(name)`, 'like', like)]),
    )
  }
  if (role) query = query.where('role', '=', role)
  if (plan) query = query.where(sql<string>`lower(plan)`, '=', plan)
  if (state === 'suspended') return query.where('suspendedAt', 'is not', null)
  if (state) query = query.where('suspendedAt', 'is', null)
  if (state === 'unverified') query = query.where('emailVerifiedAt', 'is', null)
  if (state === 'active') query = query.where('emailVerifiedAt', 'is not', null)
  return query
}

/** A session that ended takes its last visit with it; the sign-in stays in the log. */
const lastSeen = sql<Date | null>`greatest(
  (select max(last_seen_at) from sessions where user_id = users.id),
  (select at from audit_log where actor_id = users.id and action = 'logged_in' order by id desc limit 1))`

const columns = [
  'users.id',
  'users.workspaceId',
  'users.name',
  'users.email',
  'users.role',
  'users.plan',
  'users.authProvider',
  'users.emailVerifiedAt',
  'users.suspendedAt',
  'users.createdAt',
  lastSeen.as('lastSeenAt'),
] as const

export type UserRow = Awaited<ReturnType<typeof userPage>>[number]

/** Newest first; `before` is the last id of the page before. */
export function userPage(db: Db, filter: UserFilter, page: { limit: number; before?: string | undefined }) {
  let query = filtered(db, filter).select(columns).orderBy('users.id', 'desc').limit(page.limit)
  if (page.before) query = query.where('users.id', '<', page.before)
  return query.execute()
}

/** How many users a filter leaves. */
export async function countUsers(db: Db, filter: UserFilter): Promise<number> {
  const { n } = await filtered(db, filter)
    .select((select) => select.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** One user with their workspace. */
export function userById(db: Db, id: string) {
  return db
    .selectFrom('users')
    .innerJoin('workspaces', 'workspaces.id', 'users.workspaceId')
    .where('users.id', '=', id)
    .select(columns)
    .select(['workspaces.name as workspaceName', 'workspaces.company'])
    .executeTakeFirst()
}

/** Holds a user against other changes until the transaction ends. Returns whether there is one. */
export async function lockUser(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('users').where('id', '=', id).select('id').forNoKeyUpdate().executeTakeFirst()
  return row !== undefined
}

/**
 * What a workspace holds, in numbers, without sample data. Campaigns begun in the last 30 days count by their stored counts, and only those that
 * reach over that edge by their messages: reading stays cheap with millions of them.
 */
export async function countWorkspace(db: Db, workspaceId: string) {
  const { rows } = await sql<{ contacts: string; campaigns: string; sent: string }>`
    select (select count(*) from contacts where workspace_id = ${workspaceId})
        - (select count(*) from contacts where workspace_id = ${workspaceId} and source = 'sample') as contacts,
      (select count(*) from campaigns where workspace_id = ${workspaceId} and deleted_at is null and parent_id is null and journey_id is null and not is_sample) as campaigns,
      (select coalesce(sum(case when c.started_at >= now() - interval '30 days' then n.sent else (
          select count(*) from messages m
          where m.workspace_id = ${workspaceId} and m.campaign_id = c.id and m.state = 'sent' and m.sent_at >= now() - interval '30 days') end), 0)
        from campaigns c join campaign_counts n on n.workspace_id = c.workspace_id and n.campaign_id = c.id
        where c.workspace_id = ${workspaceId} and n.sent > 0 and not c.is_sample
          and (c.finished_at is null or c.finished_at >= now() - interval '30 days')) as sent`.execute(db)
  const row = rows[0]
  return {
    contacts: Number(row?.contacts ?? 0),
    campaigns: Number(row?.campaigns ?? 0),
    sent30Days: Number(row?.sent ?? 0),
  }
}
