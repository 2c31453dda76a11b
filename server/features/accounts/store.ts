import { domainToASCII } from 'node:url'
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { isSpread, timeNow } from '#server/platform/db/spread.ts'
import type { Caller } from '#server/platform/http/mount.ts'
import { deleteExpiredThrottles } from '#server/platform/throttle.ts'

/** Addresses are compared without case, and the domain in its ASCII form. */
export function emailKey(email: string): string {
  const [, local = email, domain = ''] = /^(.*)@([^@]*)$/s.exec(email.trim().toLowerCase()) ?? []
  return domain ? `${local}@${domainToASCII(domain) || domain}` : email.trim().toLowerCase()
}

const userColumns = [
  'users.id',
  'users.workspaceId',
  'users.email',
  'users.name',
  'users.role',
  'users.plan',
  'users.passwordHash',
  'users.authProvider',
  'users.emailVerifiedAt',
  'users.suspendedAt',
  'users.timeZone',
  'workspaces.company',
  'workspaces.postalAddress',
  'workspaces.weeklyEmails',
] as const

/** Users with what of their workspace goes with them. */
export function selectUser(db: Db) {
  return db.selectFrom('users').innerJoin('workspaces', 'workspaces.id', 'users.workspaceId').select(userColumns)
}

export type UserRow = NonNullable<Awaited<ReturnType<typeof userByEmail>>>

export function userByEmail(db: Db, email: string) {
  return selectUser(db).where('users.emailKey', '=', emailKey(email)).executeTakeFirst()
}

export function userById(db: Db, id: string) {
  return selectUser(db).where('users.id', '=', id).executeTakeFirst()
}

/**
 * A user and the hash a login compares with. Before the address is confirmed that is the newest sign-up's: it opens
 * nothing, and tells who typed it to confirm the address first. One query, so that every address takes the same time.
 */
export function userForLogin(db: Db, email: string) {
  return selectUser(db)
    .where('users.emailKey', '=', emailKey(email))
    .select(
      sql<string | null>`coalesce(
        (select t.password_hash from user_tokens t
          where t.user_id = users.id and users.email_verified_at is null and t.password_hash is not null
          order by t.expires_at desc limit 1),
        users.password_hash)`.as('loginHash'),
    )
    .executeTakeFirst()
}

/** Holds a user's row until the transaction ends: a confirmation and another sign-up follow one another. */
export async function lockUser(db: Db, id: string) {
  await db.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
}

export function allUsers(db: Db) {
  return selectUser(db).orderBy('users.id').execute()
}

/** The address of the admin who was here first, who looks after the installation. */
export async function firstAdminEmail(db: Db): Promise<string | undefined> {
  const admins = db.selectFrom('users').select('email').where('role', '=', 'admin').orderBy('id').limit(1)
  return (await admins.executeTakeFirst())?.email
}

export interface NewUser {
  email: string
  name: string
  passwordHash: string | null
  role: 'user' | 'admin'
  plan: string
  verified: boolean
  authProvider?: 'credentials' | 'google'
}

// Any number: each process that adds a user asks for the same one.
const ADDING = 7_310_405

/** Inserts a user with a workspace of their own. Returns undefined when the address is taken. */
export async function insertUser(db: Db, user: NewUser): Promise<{ id: string; workspaceId: string } | undefined> {
  // Spread tables: a user locks all workspaces for its reference to one, and two who added theirs before would wait for each other.
  if (isSpread()) await sql`select pg_advisory_xact_lock(${ADDING})`.execute(db)
  const workspace = await db
    .insertInto('workspaces')
    .values({ name: user.name })
    .returning('id')
    .executeTakeFirstOrThrow()
  const inserted = await db
    .insertInto('users')
    .values({
      workspaceId: workspace.id,
      email: user.email.trim(),
      emailKey: emailKey(user.email),
      name: user.name,
      passwordHash: user.passwordHash,
      role: user.role,
      plan: user.plan,
      emailVerifiedAt: user.verified ? new Date() : null,
      authProvider: user.authProvider ?? 'credentials',
    })
    .onConflict((conflict) => conflict.column('emailKey').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted) return { id: inserted.id, workspaceId: workspace.id }
  await db.deleteFrom('workspaces').where('id', '=', workspace.id).execute()
  return undefined
}

export async function updateUser(
  db: Db,
  id: string,
  change: {
    name?: string
    role?: string
    plan?: string
    passwordHash?: string | null
    authProvider?: 'credentials' | 'google'
    emailVerifiedAt?: Date | null
    suspendedAt?: Date | null
    timeZone?: string | null
  },
) {
  if (Object.keys(change).length === 0) return
  await db.updateTable('users').set(change).where('id', '=', id).execute()
}

export async function updateWorkspace(
  db: Db,
  workspaceId: string,
  change: { company?: string; postalAddress?: string; weeklyEmails?: number | null },
) {
  if (Object.keys(change).length === 0) return
  await db.updateTable('workspaces').set(change).where('id', '=', workspaceId).execute()
}

/** Begins a session, unless the user is suspended. The lock makes it wait for a suspension under way. */
export async function insertSession(
  db: Db,
  session: { id: string; userId: string; userAgent: string; expiresAt: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into sessions as s (id, user_id, user_agent, expires_at)
    select ${session.id}, id, ${session.userAgent}, ${session.expiresAt}::timestamptz
    from (select id from users where id = ${session.userId} and suspended_at is null for share) as who
    returning s.id`.execute(db)
  return rows.length > 0
}

/** A session is noted as seen no more often than this: most requests only read. */
const SEEN_EVERY_MINUTES = 5

/** Notes that a request of the session changed something, by the database's clock. */
export async function noteWrite(db: Db, sessionId: string): Promise<void> {
  await db.updateTable('sessions').set({ wroteAt: timeNow() }).where('id', '=', sessionId).execute()
}

/** The caller behind a live session of this user; nothing when it ended. Now and then notes that the session is in use. */
export async function findCaller(db: Db, sessionId: string, userId: string): Promise<Caller | undefined> {
  const earlier = sql<Date>`now() - make_interval(mins => ${SEEN_EVERY_MINUTES})`
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .where('sessions.id', '=', sessionId)
    .where('users.id', '=', userId)
    .where('users.suspendedAt', 'is', null)
    .where('sessions.expiresAt', '>', sql<Date>`now()`)
    .select([
      'users.id as userId',
      'users.workspaceId',
      'sessions.id as sessionId',
      'users.email',
      'users.role',
      'users.plan',
      'sessions.wroteAt',
      sql<boolean>`sessions.last_seen_at < ${earlier}`.as('unseen'),
    ])
    .executeTakeFirst()
  if (!row) return undefined
  const { unseen, ...caller } = row
  if (unseen)
    await db
      .updateTable('sessions')
      .set({ lastSeenAt: sql<Date>`now()` })
      .where('id', '=', sessionId)
      .where('lastSeenAt', '<', earlier)
      .execute()
  return caller as Caller
}

export function listSessions(db: Db, userId: string) {
  return db
    .selectFrom('sessions')
    .where('userId', '=', userId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .selectAll()
    .orderBy('createdAt', 'desc')
    .execute()
}

/** Ends one session, or every session but `except`. Returns how many ended. */
export async function deleteSessions(
  db: Db,
  userId: string,
  which: { id: string } | { except?: string },
): Promise<number> {
  let query = db.deleteFrom('sessions').where('userId', '=', userId)
  if ('id' in which) query = query.where('id', '=', which.id)
  else if (which.except) query = query.where('id', '<>', which.except)
  return Number((await query.executeTakeFirst()).numDeletedRows)
}

/** Forgets sessions, links and counters whose time is over. */
export async function deleteExpired(db: Db) {
  await db.deleteFrom('sessions').where('expiresAt', '<', sql<Date>`now()`).execute()
  // What tells that an account was never confirmed stays as long as that is so.
  await sql`
    delete from user_tokens using users
    where users.id = user_tokens.user_id and expires_at < now()
      and (purpose = 'reset' or email_verified_at is not null)`.execute(db)
  await deleteExpiredThrottles(db)
}

/** The users of a workspace, the first one first, held until the transaction ends. */
export function lockUsers(db: Db, workspaceId: string) {
  return db
    .selectFrom('users')
    .where('workspaceId', '=', workspaceId)
    .select(['id', 'email', 'plan'])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function setPlan(db: Db, userId: string, plan: string): Promise<void> {
  await db.updateTable('users').set({ plan }).where('id', '=', userId).execute()
}
