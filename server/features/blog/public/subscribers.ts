import { sql } from 'kysely'
import { askToJoin, CONFIRM_WORDING, createList, type Visitor } from '#server/features/contacts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { Refusal, tooMany } from '#server/platform/http/refusal.ts'
import { saveSetting } from '#server/platform/settings.ts'
import { throttleVisitor } from '#server/platform/throttle.ts'
import type { Services } from '#server/services.ts'

const SETTING = 'blog.list'
const NAME = 'Blog readers'
/** Requests of one network, and of all. */
const AN_HOUR = { visitor: 20, everybody: 200 }
// Any number: two first readers at once must not make two lists.
const LOCK = 7_310_404

interface ReaderList {
  id: string
  workspaceId: string
}

async function keptList(db: Db): Promise<ReaderList | undefined> {
  const { rows } = await sql<ReaderList>`
    select l.id, l.workspace_id from settings s join lists l on l.id = s.value::bigint where s.key = ${SETTING}`.execute(
    db,
  )
  return rows[0]
}

/** The double opt-in list of the blog: in the first admin's workspace, made when its first reader comes. */
async function readerList(db: Db): Promise<ReaderList> {
  const kept = await keptList(db)
  if (kept) return kept
  return db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db)
    const meanwhile = await keptList(db)
    if (meanwhile) return meanwhile
    const admin = await db
      .selectFrom('users')
      .where('role', '=', 'admin')
      .select('workspaceId')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (!admin)
      throw new Refusal(
        503,
        'not_ready',
        'The blog does not take subscriptions yet, because it has no admin. Nothing was saved.',
      )
    const { id } = await createList(db, admin.workspaceId, { name: NAME, optin: 'double' })
    await saveSetting(db, SETTING, id)
    return { id, workspaceId: admin.workspaceId }
  })
}

/** Emails somebody who wants new posts a link to confirm. Throws Refusal 400 naming `email`, and 429. */
export async function subscribe(services: Services, email: string, visitor: Visitor): Promise<void> {
  const { db, config } = services
  const allowed = await throttleVisitor(db, config.secretKey, 'subscribe', visitor.ip, AN_HOUR, 3_600)
  if (!allowed.ok) throw tooMany('Too many subscriptions in one hour. Wait an hour, then try again.', allowed.wait)
  const { id, workspaceId } = await readerList(db)
  const request = { workspaceId, listIds: [id], source: 'blog' as const, wording: CONFIRM_WORDING, visitor }
  await askToJoin(services, request, email)
}
