/** The last real email of each sending domain that was sent to this installation itself. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { timeNow } from '#server/platform/db/spread.ts'
import type { LoopbackChecks } from '#server/platform/db/types.ts'
import type { StoredResult } from './result.ts'

export type LoopbackRow = Omit<Selectable<LoopbackChecks>, 'result'> & {
  result: StoredResult | null
  /** It has neither a result nor failed, and still may arrive. */
  isOpen: boolean
}

/** Minutes after which an email is not expected any more. */
const VALID_MINUTES = 15

const isOpen = sql<boolean>`result is null and failure is null and expires_at > now()`.as('isOpen')

const select = (db: Db) => db.selectFrom('loopbackChecks').selectAll().select(isOpen)

/** The check of a domain; undefined: it has none. */
export async function checkByDomain(db: Db, workspaceId: string, domainId: string): Promise<LoopbackRow | undefined> {
  const query = select(db).where('workspaceId', '=', workspaceId).where('domainId', '=', domainId)
  return (await query.executeTakeFirst()) as LoopbackRow | undefined
}

/** The check of an id, of whichever workspace; undefined: there is none, or a newer one took its place. */
export async function checkById(db: Db, id: string): Promise<LoopbackRow | undefined> {
  return (await select(db).where('id', '=', id).executeTakeFirst()) as LoopbackRow | undefined
}

interface NewCheck {
  workspaceId: string
  domainId: string
  senderId: string
  fromAddress: string
  host: string
  nonce: string
}

/** Puts a new check in the place of a domain's last one. Returns its id. */
export async function replaceCheck(db: Db, check: NewCheck): Promise<string> {
  const { workspaceId, domainId } = check
  await db
    .deleteFrom('loopbackChecks')
    .where('workspaceId', '=', workspaceId)
    .where('domainId', '=', domainId)
    .execute()
  const row = await db
    .insertInto('loopbackChecks')
    .values({ ...check, expiresAt: sql<Date>`now() + make_interval(mins => ${VALID_MINUTES})` })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

type CheckKey = Pick<LoopbackRow, 'workspaceId' | 'id'>

const update = (db: Db, { workspaceId, id }: CheckKey) =>
  db.updateTable('loopbackChecks').where('workspaceId', '=', workspaceId).where('id', '=', id)

/** Notes that its email leaves now. Returns whether it may: it leaves once, and in its time. */
export async function noteLeaving(db: Db, check: CheckKey): Promise<boolean> {
  const { numUpdatedRows } = await update(db, check)
    .set({ sentAt: timeNow() })
    .where('sentAt', 'is', null)
    .where('failure', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** What the mail server said when it took the email. */
export async function noteResponse(db: Db, check: CheckKey, response: string): Promise<void> {
  await update(db, check).set({ response }).execute()
}

/** Why the email did not leave. */
export async function noteFailure(db: Db, check: CheckKey, failure: string): Promise<void> {
  await update(db, check).set({ failure }).where('result', 'is', null).execute()
}

/**
 * Claims an arrival, so that it is judged once however often the email comes. The first one counts, and only in its time. A process that
 * died leaves it to the next one after a minute. Returns whether it is the caller's.
 */
export async function claimArrival(db: Db, check: CheckKey): Promise<boolean> {
  const { numUpdatedRows } = await update(db, check)
    .set({ arrivedAt: timeNow() })
    .where('result', 'is', null)
    .where('failure', 'is', null)
    .where('sentAt', 'is not', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .where((eb) => eb.or([eb('arrivedAt', 'is', null), eb('arrivedAt', '<', sql<Date>`now() - interval '1 minute'`)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Gives a claimed arrival back, because it could not be judged: the email is delivered again. */
export async function releaseArrival(db: Db, check: CheckKey): Promise<void> {
  await update(db, check).set({ arrivedAt: null }).where('result', 'is', null).execute()
}

/** Stores what was found on arrival. */
export async function noteResult(db: Db, check: CheckKey, result: StoredResult): Promise<void> {
  await update(db, check)
    .set({ result: JSON.stringify(result) })
    .where('result', 'is', null)
    .execute()
}
