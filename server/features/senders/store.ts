import { sql } from 'kysely'
import type { Sender } from '#contracts/senders/senders.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Gives a new workspace its default sender, which sends over SMTP_URL. */
export async function addDefaultSender(db: Db, workspaceId: string): Promise<void> {
  await db
    .insertInto('senders')
    .values({ workspaceId, isDefault: true, name: 'Default mail server', connections: 10 })
    .execute()
}

const columns = [
  'senders.id',
  'senders.workspaceId',
  'senders.kind',
  'senders.name',
  'senders.isDefault',
  'senders.host',
  'senders.port',
  'senders.secure',
  'senders.username',
  'senders.passwordEncrypted',
  'senders.fromName',
  'senders.fromEmail',
  'senders.perSecond',
  'senders.perMinute',
  'senders.perDay',
  'senders.rampDays',
  'senders.rampFrom',
  'senders.rampDay',
  'senders.rampHold',
  'senders.connections',
  'senders.state',
  'senders.stateText',
  'senders.checkedAt',
  'senders.troubles',
  'senders.createdAt',
] as const

export type SenderRow = NonNullable<Awaited<ReturnType<typeof senderById>>>

function select(db: Db, workspaceId: string) {
  return (
    db
      .selectFrom('senders')
      .where('senders.workspaceId', '=', workspaceId)
      .select(columns)
      // By the clock of the database, which all workers share. null: it does not rest.
      .select([
        sql<Date | null>`case when senders.rest_until > now() then senders.rest_until end`.as('restUntil'),
        // Milliseconds until the next free slot of its pace.
        sql<number>`greatest(0, extract(epoch from senders.pace_at - now())::float8 * 1000)`.as('slotIn'),
      ])
  )
}

export function senderById(db: Db, workspaceId: string, id: string) {
  return select(db, workspaceId).where('senders.id', '=', id).executeTakeFirst()
}

/** Oldest first, so that the default sender, which came with the workspace, leads. `after` is the last id of the page before. */
export function senderPage(db: Db, workspaceId: string, page: { limit: number; after?: string }): Promise<SenderRow[]> {
  let query = select(db, workspaceId).orderBy('senders.id').limit(page.limit)
  if (page.after) query = query.where('senders.id', '>', page.after)
  return query.execute()
}

export async function countSenders(db: Db, workspaceId: string): Promise<number> {
  const row = await db
    .selectFrom('senders')
    .where('workspaceId', '=', workspaceId)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export interface SenderFields {
  kind?: Sender['kind']
  name?: string
  host?: string
  port?: number
  secure?: 'tls' | 'starttls' | 'none'
  username?: string | null
  passwordEncrypted?: string | null
  fromName?: string
  fromEmail?: string
  perSecond?: number | null
  perDay?: number | null
  perMinute?: number | null
  connections?: number
  rampDays?: number | null
  rampFrom?: Date | null
  rampDay?: number
  rampHold?: null
}

/** `seal` makes the stored password once the id it is bound to is known; call inside a transaction. */
export async function insertSender(
  db: Db,
  workspaceId: string,
  fields: SenderFields,
  seal: (id: string) => string | null,
): Promise<string> {
  const { id } = await db
    .insertInto('senders')
    .values({ workspaceId, ...fields })
    .returning('id')
    .executeTakeFirstOrThrow()
  const passwordEncrypted = seal(id)
  if (passwordEncrypted !== null)
    await db
      .updateTable('senders')
      .set({ passwordEncrypted })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', id)
      .execute()
  return id
}

export async function updateSender(db: Db, workspaceId: string, id: string, fields: SenderFields): Promise<void> {
  if (Object.keys(fields).length === 0) return
  await db.updateTable('senders').set(fields).where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
}

/**
 * Notes how a try went, unless the connection was changed meanwhile: then the try says nothing about it.
 * Success also ends a rest after earlier trouble.
 */
export async function noteState(
  db: Db,
  tried: SenderRow,
  state: 'working' | 'failing',
  stateText: string,
): Promise<void> {
  await db
    .updateTable('senders')
    .set({
      state,
      stateText,
      checkedAt: sql<Date>`now()`,
      ...(state === 'working' && { troubles: 0, restUntil: null }),
    })
    .where('workspaceId', '=', tried.workspaceId)
    .where('id', '=', tried.id)
    .where('host', 'is not distinct from', tried.host)
    .where('port', 'is not distinct from', tried.port)
    .where('secure', 'is not distinct from', tried.secure)
    .where('username', 'is not distinct from', tried.username)
    .where('passwordEncrypted', 'is not distinct from', tried.passwordEncrypted)
    .execute()
}

/** The connection is another one now: what was known about the old one no longer counts. */
export async function forgetState(db: Db, workspaceId: string, id: string): Promise<void> {
  await db
    .updateTable('senders')
    .set({ state: 'untested', stateText: '', checkedAt: null, troubles: 0, restUntil: null })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** A fresh connection works: whatever was wrong with an older one is over. */
export async function setWorking(db: Db, workspaceId: string, id: string, stateText: string): Promise<void> {
  await db
    .updateTable('senders')
    .set({ state: 'working', stateText, checkedAt: sql<Date>`now()`, troubles: 0, restUntil: null })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Notes that a sender's credentials are not taken any more. It counts as one trouble: the next message that leaves all the same ends it. */
export async function noteRefusal(db: Db, workspaceId: string, id: string, stateText: string): Promise<void> {
  await db
    .updateTable('senders')
    .set({ state: 'failing', stateText, checkedAt: sql<Date>`now()`, troubles: sql`greatest(troubles, 1)` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

/** Notes that a sender's credentials are taken again, should `stateText` say that they were not. */
export async function noteRefusalOver(db: Db, workspaceId: string, id: string, stateText: string): Promise<void> {
  await db
    .updateTable('senders')
    .set({ state: 'working', stateText: '', checkedAt: sql<Date>`now()`, troubles: 0, restUntil: null })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'failing')
    .where('stateText', '=', stateText)
    .execute()
}

/** Holds a sender that is about to be removed, until the transaction ends. Returns whether there is one. */
export async function lockSender(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('senders')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .select('id')
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Removes a sender. Throws the foreign key's error while something refers to it. */
export async function deleteSender(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('senders').where('workspaceId', '=', workspaceId).where('id', '=', id).execute()
}
