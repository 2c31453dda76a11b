import { sql } from 'kysely'
import type { z } from 'zod'
import type { DateFormat } from '#contracts/contacts/imports.ts'
import type { ConsentProof } from '#contracts/whatsapp/consents.ts'
import type { Condition } from '#server/platform/db/conditions.ts'
import type { Db } from '#server/platform/db/database.ts'

/** Which of several rows of a file with the same address or number counts. */
export type Keep = 'first' | 'last'

/** Column name -> email, phone, name, first_name, last_name, tags or an attribute name. */
export type Mapping = Record<string, string>

/** What everybody in a file agreed to hear of on WhatsApp, how it was proven, and who said so. */
export type ImportConsent = z.output<typeof ConsentProof> & { recordedBy: string }

/** How the people of a file agreed to its list before, and who said so. */
export interface Agreed {
  evidence: string
  recordedBy: string
}

export interface ImportRow {
  id: string
  workspaceId: string
  listId: string | null
  fileName: string
  filePath: string
  fileSize: string
  mapping: Mapping
  consent: ImportConsent | null
  consents: string
  agreed: Agreed | null
  contactLimit: number | null
  /** The rows are suppressed for this reason; null: they are contacts. */
  suppress: 'import' | 'unsubscribe' | 'complaint' | 'hard_bounce' | null
  state: 'queued' | 'running' | 'done' | 'failed'
  total: string
  imported: string
  updated: string
  skipped: string
  duplicates: string
  keep: Keep
  country: string | null
  invalidPhones: string
  dateFormats: Record<string, DateFormat>
  invalidDates: string
  errorCount: string
  progress: number
  error: string | null
  createdAt: Date
  finishedAt: Date | null
}

/** One row of the file, ready for the table. `attributes` is JSON. */
export interface Ready {
  row: number
  email: string | null
  key: string | null
  phone: string | null
  name: string
  attributes: string
  /** The names of its tags. */
  tags: string[]
}

export interface BadRow {
  row: number
  reason: string
  line: string
}

export interface Tally {
  total: number
  imported: number
  updated: number
  skipped: number
  /** Rows listed with a reason: skipped ones, and those imported without a date. */
  listed: number
  duplicates: number
  consents: number
  invalidPhones: number
  invalidDates: number
}

export async function insertImport(
  db: Db,
  workspaceId: string,
  given: Pick<
    ImportRow,
    | 'listId'
    | 'fileName'
    | 'filePath'
    | 'fileSize'
    | 'mapping'
    | 'keep'
    | 'country'
    | 'dateFormats'
    | 'contactLimit'
    | 'suppress'
  > & {
    consent: ImportConsent | undefined
    agreed: Agreed | undefined
  },
): Promise<string> {
  const row = await db
    .insertInto('imports')
    .values({
      workspaceId,
      ...given,
      mapping: JSON.stringify(given.mapping),
      dateFormats: JSON.stringify(given.dateFormats),
      consent: given.consent ? JSON.stringify(given.consent) : null,
      agreed: given.agreed ? JSON.stringify(given.agreed) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/**
 * How many imports of a workspace have not ended, and the bytes of their files. Within a transaction the next caller waits
 * for its end, so that two do not take the last room together.
 */
export async function unfinished(db: Db, workspaceId: string): Promise<{ imports: number; size: number }> {
  if (db.isTransaction)
    await sql`select pg_advisory_xact_lock(hashtextextended(${`imports:${workspaceId}`}, 0))`.execute(db)
  const row = await db
    .selectFrom('imports')
    .where('workspaceId', '=', workspaceId)
    .where('state', 'in', ['queued', 'running'])
    .select([sql<string>`count(*)`.as('imports'), sql<string>`coalesce(sum(file_size), 0)`.as('size')])
    .executeTakeFirstOrThrow()
  return { imports: Number(row.imports), size: Number(row.size) }
}

export async function importById(db: Db, workspaceId: string, id: string): Promise<ImportRow | undefined> {
  return (await db
    .selectFrom('imports')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()) as ImportRow | undefined
}

/** Newest first; `before` is the last id of the page before. */
export async function importPage(
  db: Db,
  workspaceId: string,
  page: { limit: number; before?: string },
): Promise<ImportRow[]> {
  let query = db
    .selectFrom('imports')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.before) query = query.where('id', '<', page.before)
  return (await query.execute()) as ImportRow[]
}

/** Bad rows in the order of the file, after the row number `after`. */
export function badRows(db: Db, workspaceId: string, importId: string, after: number, limit: number) {
  return db
    .selectFrom('importErrors')
    .select(['row', 'reason', 'line'])
    .where('workspaceId', '=', workspaceId)
    .where('importId', '=', importId)
    .where('row', '>', String(after))
    .orderBy('row')
    .limit(limit)
    .execute()
}

/** Takes an import up. Returns undefined when it is finished or gone. */
export async function beginImport(db: Db, workspaceId: string, id: string): Promise<ImportRow | undefined> {
  return (await db
    .updateTable('imports')
    .set({ state: 'running', startedAt: sql<Date>`coalesce(started_at, (select now()))`, aliveAt: sql<Date>`now()` })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .returningAll()
    .executeTakeFirst()) as ImportRow | undefined
}

/**
 * Notes that the rows after `from` are dealt with. Returns the list they go to (null: none), or undefined when somebody
 * else took the import over or it has ended: then nothing of this portion may be stored.
 */
export async function advance(
  db: Db,
  workspaceId: string,
  id: string,
  from: number,
  tally: Tally,
  progress: number,
): Promise<{ listId: string | null } | undefined> {
  return db
    .updateTable('imports')
    .set({
      total: sql<string>`total + ${tally.total}`,
      imported: sql<string>`imported + ${tally.imported}`,
      updated: sql<string>`updated + ${tally.updated}`,
      skipped: sql<string>`skipped + ${tally.skipped}`,
      errorCount: sql<string>`error_count + ${tally.listed}`,
      duplicates: sql<string>`duplicates + ${tally.duplicates}`,
      consents: sql<string>`consents + ${tally.consents}`,
      invalidPhones: sql<string>`invalid_phones + ${tally.invalidPhones}`,
      invalidDates: sql<string>`invalid_dates + ${tally.invalidDates}`,
      progress,
      aliveAt: sql<Date>`now()`,
    })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('total', '=', String(from))
    .returning('listId')
    .executeTakeFirst()
}

/** Ends an import; `done` only where all `total` rows are stored. Returns whether this call did so. */
export async function endImport(
  db: Db,
  workspaceId: string,
  id: string,
  end: { state: 'done'; total: number } | { state: 'failed'; error: string },
): Promise<boolean> {
  const row = await db
    .updateTable('imports')
    .set({
      ...(end.state === 'done' ? { state: 'done', progress: 1 } : end),
      finishedAt: sql<Date>`now()`,
    })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .$if(end.state === 'done', (query) => query.where('total', '=', String((end as { total: number }).total)))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Lets another worker take the import up at once: this one stops. */
export async function releaseImport(db: Db, workspaceId: string, id: string): Promise<void> {
  await db
    .updateTable('imports')
    .set({ aliveAt: new Date(0) })
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

const isLeftBehind = (seconds: number) =>
  sql<boolean>`state in ('queued', 'running') and alive_at < now() - make_interval(secs => ${seconds})`

/** Imports that have not ended although nobody was seen at them for so many seconds, in every workspace. */
export function leftBehind(db: Db, seconds: number) {
  return db.selectFrom('imports').select(['id', 'workspaceId']).where(isLeftBehind(seconds)).execute()
}

/** Whether there is one in any workspace. */
export const isAnyLeftBehind = (seconds: number): Condition =>
  sql<boolean>`exists (select 1 from imports where ${isLeftBehind(seconds)})`
