import { rm } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Config } from '#server/platform/config.ts'
import type { CopyIn } from '#server/platform/db/copy-in.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isUndone } from '#server/platform/db/undone.ts'
import type { Services } from '#server/services.ts'
import { findErasureMarks, leaveAgain } from '../erasure/erased-store.ts'
import { fieldRules } from '../fields/fields-store.ts'
import { restoreSuppressions } from '../suppressions/retained-suppressions.ts'
import { FileRefused } from './file/refusal.ts'
import { openRows, type RowFile } from './file/rows.ts'
import { deleteFile, FileMissing, fetchFile } from './files-store.ts'
import { recordConsents } from './import-consents.ts'
import { withinLimit, withoutErased } from './import-filters.ts'
import { createImportLimits, type ImportLimits } from './import-limits.ts'
import { type Portion, RowReader } from './import-rows.ts'
import { suppressRows } from './import-suppressions.ts'
import { tagRows, withTags } from './import-tags.ts'
import { inKeyOrder, insertBadRows, insertRows, knownRows, refreshStatistics, upsertRows } from './import-write.ts'
import * as store from './imports-store.ts'
import { newImportPath } from './upload.ts'

/** Rows and characters a transaction: long enough to be quick, short enough that others hardly wait and memory is bounded. */
const PORTION = { rows: 4_000, text: 2 ** 20 }
/** Rows read before the database is served again. */
const ROWS_A_TURN = 200
const TRIES = 5
const NOTHING: store.Tally = {
  ...{ total: 0, imported: 0, updated: 0, skipped: 0, listed: 0 },
  ...{ duplicates: 0, consents: 0, invalidPhones: 0, invalidDates: 0 },
}

/** What a run needs: plain parts, because it has a thread of its own. */
export interface Importing {
  db: Services['db']
  log: Services['log']
  config: Pick<Config, 'dataDir' | 'secretKey'>
  /** On the connection of `db`. */
  copyIn: CopyIn
  /** Hears the number of rows dealt with so far. */
  onProgress(rows: number): void
}

/** The import goes on elsewhere, or has ended: this run stops and keeps nothing more. */
class TakenOver extends Error {}

/**
 * Runs an import, or goes on with one that was cut off: the counts are stored in the transaction of the rows they count, so
 * after a kill it continues at the row it had come to. Returns early when `signal` aborts.
 */
export async function workOff(given: Importing, workspaceId: string, id: string, signal: AbortSignal): Promise<void> {
  const { db, log, config } = given
  const row = await store.beginImport(db, workspaceId, id)
  if (!row) return
  const path = await newImportPath(config.dataDir)
  try {
    const isFetched = await fetchFile(db, row, path, signal)
    const total = isFetched ? await importFile(given, row, path, signal) : undefined
    if (total === undefined) return await store.releaseImport(db, workspaceId, id)
    await restoreSuppressions(db, config, workspaceId)
    // Another run ended it, or the database lost the last rows: then they are soon read again.
    if (!(await store.endImport(db, workspaceId, id, { state: 'done', total }))) return
  } catch (error) {
    if (error instanceof TakenOver) return
    if (passes(error)) throw error
    if (!(error instanceof FileRefused)) log.error({ err: error, importId: id }, 'an import failed')
    await store.endImport(db, workspaceId, id, { state: 'failed', error: whatHappened(error) })
  } finally {
    await rm(path, { force: true })
  }
  await deleteFile(db, workspaceId, row.filePath)
  await refreshStatistics(db)
}

/** Reads the whole file; returns how many rows it has, undefined when it was told to stop. */
async function importFile(
  given: Importing,
  row: store.ImportRow,
  path: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { db, onProgress } = given
  const file = await openRows(path)
  const { keep: kept, suppress, country, dateFormats } = row
  const fields = await fieldRules(db, row.workspaceId, Object.values(row.mapping))
  const reader = new RowReader(file.columns, row.mapping, { keep: kept, fields, suppress, country, dateFormats })
  let done = Number(row.total)
  const limits = await createImportLimits(db, row)
  const trust: Trust = { areNew: true }
  // While the database keeps one portion the next is read: they are two threads' work.
  let keeping: Promise<void> = Promise.resolve()
  try {
    for await (const portion of portions(file, reader, done)) {
      const progress = file.progress()
      // Beside the portion before, which then need not wait for it. The room in a plan goes by the order of the file.
      if (row.contactLimit === null) inKeyOrder(portion.ready)
      await keeping
      if (signal.aborted) return undefined
      limits.check()
      const from = done
      done += portion.rows
      const { promise: isWriting, resolve: onWriting } = Promise.withResolvers<void>()
      const slice = { row, from, portion, progress, limits, onWriting }
      keeping = keep(given, slice, trust).then(() => onProgress(from + portion.rows))
      // The caller who awaits it hears of a failure; nobody may be listening in between.
      const kept = keeping.catch(() => undefined)
      // Short statements come first, and each waits for this thread: it reads on when the database is busy for longer.
      await Promise.race([isWriting, kept])
    }
  } finally {
    await keeping
  }
  limits.check()
  return signal.aborted ? undefined : done
}

/** What the rows of the file give, without the first `skip`, in portions. */
async function* portions(file: RowFile, reader: RowReader, skip: number): AsyncGenerator<Portion> {
  let passed = 0
  for await (const batch of file.rows()) {
    for (const row of batch) {
      if (passed++ < skip) continue
      reader.add(row)
      // The statements of the portion before wait for this thread: between them the database would rest.
      if (reader.rows % ROWS_A_TURN === 0) await turn()
      if (reader.rows >= PORTION.rows || reader.text >= PORTION.text) yield reader.take()
    }
  }
  if (reader.rows > 0) yield reader.take()
}

/** One portion of an import, and where it stands in the file. */
interface Slice {
  row: store.ImportRow
  from: number
  portion: Portion
  progress: number
  limits: ImportLimits
  /** Hears that the database has its rows to write now. */
  onWriting(): void
}

/** Whether the rows to come are taken for new contacts, because those before them were. */
interface Trust {
  areNew: boolean
}

/** What is asked before rows are added: nothing, which of them are there, or the same and again by each insert. */
type Care = 'none' | 'look' | 'upsert'

/** Keeps one portion, all of it or nothing. What only came in the way of another transaction is tried again. */
async function keep({ db, config, copyIn }: Importing, slice: Slice, trust: Trust): Promise<void> {
  const cares: Care[] = trust.areNew ? ['none', 'look', 'upsert'] : ['look', 'upsert']
  for (let attempt = 1; ; attempt++) {
    const care = cares[attempt - 1] ?? 'upsert'
    try {
      const { listed, bad, known } = await db.transaction().execute((db) => keepIn({ db, config, copyIn }, slice, care))
      trust.areNew = known === 0
      return slice.limits.note(slice.portion.rows, listed, bad)
    } catch (error) {
      // 23505: one of these contacts is there, or somebody added it since it was looked for.
      if (attempt >= TRIES || !(isUndone(error) || (error as { code?: string }).code === '23505')) throw error
    }
  }
}

/** What became of a portion: the rows that are listed with a reason, how many of them are bad, and how many contacts were there already. */
interface Outcome {
  listed: store.BadRow[]
  bad: number
  known: number
}

async function keepIn(
  { db, config, copyIn }: Pick<Importing, 'config' | 'copyIn'> & { db: Db },
  { row, from, portion, progress, limits, onWriting }: Slice,
  care: Care,
): Promise<Outcome> {
  const { workspaceId, id } = row
  // A portion that a power cut takes is read again, because its count goes with it. The end of the import waits for the disk.
  await sql`set local synchronous_commit = off`.execute(db)
  // First of all the lock: another run of the same import waits here and then sees that it has moved on.
  const held = await store.advance(db, workspaceId, id, from, NOTHING, progress)
  if (!held) throw new TakenOver()
  if (row.suppress) return await suppressIn(db, row, row.suppress, from, portion, progress, limits)
  const marks = await findErasureMarks(db, workspaceId)
  const { ready: allowed, erased } = marks.erased
    ? await withoutErased(db, config, workspaceId, portion.ready)
    : { ready: portion.ready, erased: [] }
  // Of the room in a plan those who are there need none.
  const isBlind = care === 'none' && row.contactLimit === null
  const known = isBlind ? new Map<store.Ready, string | null>() : await knownRows(db, workspaceId, allowed)
  // What this import itself wrote before is a second row of the file.
  const again = new Set(allowed.filter((contact) => known.get(contact) === id))
  const wanted = row.keep === 'first' ? allowed.filter((contact) => !again.has(contact)) : allowed
  const within = await withinLimit(db, row, wanted, known)
  const { ready, tagIds, untaggable } = await withTags(db, workspaceId, within.ready)
  const bad = [...portion.bad, ...erased, ...within.beyond, ...untaggable]
  const badRows = new Set(bad.map((one) => one.row))
  const listed = [...bad, ...portion.undated.filter((one) => !badRows.has(one.row))]
  const added = care === 'upsert' ? [] : ready.filter((contact) => !known.has(contact))
  const target = { workspaceId, id, listId: held.listId, haveAgreed: row.agreed !== null }
  onWriting()
  await insertRows(db, copyIn, target, added)
  const rest = care === 'upsert' ? ready : ready.filter((contact) => known.has(contact))
  const imported = added.length + (await upsertRows(db, target, rest))
  await tagRows(db, workspaceId, ready, tagIds)
  if (marks.left)
    await leaveAgain(
      db,
      config,
      workspaceId,
      ready.flatMap(({ key, phone }) => key ?? phone ?? []),
    )
  const consents = row.consent ? await recordConsents(db, workspaceId, row.consent, ready) : 0
  await insertBadRows(db, workspaceId, id, limits.toStore(listed))
  // A second row with an address changes the contact of the first, or is skipped.
  const duplicates = portion.duplicates + again.size
  const skipped = bad.length + (row.keep === 'first' ? duplicates : 0)
  const updated = portion.rows - skipped - imported
  const { rows: total, invalidPhones, invalidDates } = portion
  const counts = { total, imported, updated, skipped, listed: listed.length, duplicates }
  const tally = { ...counts, consents, invalidPhones, invalidDates }
  if (!(await store.advance(db, workspaceId, id, from, tally, progress))) throw new TakenOver()
  return { listed, bad: bad.length, known: known.size }
}

/** Suppresses the rows of one portion; returns the bad ones. What is suppressed already stays as it is. */
async function suppressIn(
  db: Db,
  { workspaceId, id, keep }: store.ImportRow,
  reason: NonNullable<store.ImportRow['suppress']>,
  from: number,
  { rows, ready, bad, duplicates, invalidPhones }: Portion,
  progress: number,
  limits: ImportLimits,
): Promise<Outcome> {
  const imported = await suppressRows(db, workspaceId, reason, ready)
  await insertBadRows(db, workspaceId, id, limits.toStore(bad))
  const skipped = bad.length + (keep === 'first' ? duplicates : 0)
  const updated = rows - skipped - imported
  const counts = { total: rows, imported, updated, skipped, listed: bad.length, duplicates }
  const tally = { ...NOTHING, ...counts, invalidPhones }
  if (!(await store.advance(db, workspaceId, id, from, tally, progress))) throw new TakenOver()
  return { listed: bad, bad: bad.length, known: 0 }
}

/** Trouble with the database that passes: the queue tries the import again, and it goes on where it was. */
function passes(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return (
    /^(08|40|53|57)/.test(code) ||
    /^E(CONN|PIPE|TIMEDOUT)/.test(code) ||
    /connection terminated|connection ended/i.test(message)
  )
}

function whatHappened(error: unknown): string {
  const kept = 'The rows before that were imported.'
  if (error instanceof FileRefused) return `${error.message} ${kept}`
  if (error instanceof FileMissing)
    return `The file is no longer on the server. ${kept} Upload the file again: contacts that are there already are only updated.`
  return `Something went wrong on our side. ${kept} Upload the file again: contacts that are there already are only updated.`
}
