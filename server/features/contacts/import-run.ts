import { rm } from 'node:fs/promises'
import type { Db } from '#server/platform/db/database.ts'
import type { Services } from '#server/services.ts'
import type { Row } from './file/refusal.ts'
import { FileRefused } from './file/refusal.ts'
import { openRows, type RowFile } from './file/rows.ts'
import { type Portion, RowReader } from './import-rows.ts'
import * as store from './imports-store.ts'
import { restoreSuppressions } from './kept-suppressions.ts'
import { countContacts } from './store.ts'
import { importPath } from './upload.ts'

/** Rows a transaction: long enough to be quick, short enough that others hardly wait. */
const PORTION = 2_000
const TRIES = 5

/** The import goes on elsewhere, or has ended: this run stops and keeps nothing more. */
class TakenOver extends Error {}

/**
 * Runs an import, or goes on with one that was cut off: the counts are kept in the transaction of the rows they count, so
 * after a kill it continues at the row it had come to. Returns early when `signal` aborts.
 */
export async function runImport(
  services: Services,
  workspaceId: string,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const row = await store.beginImport(services.db, workspaceId, id)
  if (!row) return
  const path = importPath(services.config.dataDir, row.filePath)
  try {
    if (!(await importFile(services, row, path, signal))) return await store.releaseImport(services.db, workspaceId, id)
    await restoreSuppressions(services.db, services.config, workspaceId)
    await store.endImport(services.db, workspaceId, id, { state: 'done' })
  } catch (error) {
    if (error instanceof TakenOver) return
    if (passes(error)) throw error
    if (!(error instanceof FileRefused)) services.log.error({ err: error, importId: id }, 'an import failed')
    await store.endImport(services.db, workspaceId, id, { state: 'failed', error: whatHappened(error) })
  }
  await rm(path, { force: true })
  await store.refreshStatistics(services.db)
}

/** Whether the whole file was read; false when it was told to stop. */
async function importFile(
  services: Services,
  row: store.ImportRow,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  const file = await openRows(path)
  const reader = new RowReader(file.columns, row.mapping)
  let done = Number(row.total)
  // While the database keeps one portion the next is read: they are two threads' work.
  let keeping: Promise<void> = Promise.resolve()
  try {
    for await (const rows of portions(file, done)) {
      const portion = reader.read(rows)
      const progress = file.progress()
      await keeping
      if (signal.aborted) return false
      const from = done
      done += portion.rows
      keeping = retried(() => services.db.transaction().execute((db) => keep(db, row, from, portion, progress))).then(
        () => {
          services.live.publish(`import:${row.id}`, from + portion.rows)
        },
      )
      // Whoever awaits it hears of a failure; nobody may be listening in between.
      keeping.catch(() => undefined)
    }
  } finally {
    await keeping
  }
  return !signal.aborted
}

/** The rows of the file in equal portions, without the first `skip`. */
async function* portions(file: RowFile, skip: number): AsyncGenerator<Row[]> {
  let held: Row[] = []
  let passed = 0
  for await (const batch of file.rows()) {
    const fresh = passed >= skip ? batch : batch.slice(skip - passed)
    passed += batch.length
    held = held.length === 0 ? fresh : held.concat(fresh)
    while (held.length >= PORTION) {
      yield held.slice(0, PORTION)
      held = held.slice(PORTION)
    }
  }
  if (held.length > 0) yield held
}

/** Keeps one portion, all of it or nothing. */
async function keep(db: Db, row: store.ImportRow, from: number, portion: Portion, progress: number): Promise<void> {
  const { workspaceId, id } = row
  // First of all the lock: whoever runs the same import waits here and then sees that it has moved on.
  const held = await store.advance(
    db,
    workspaceId,
    id,
    from,
    { total: 0, imported: 0, updated: 0, skipped: 0 },
    progress,
  )
  if (!held) throw new TakenOver()
  const { ready, beyond } = await withinLimit(db, row, portion.ready)
  const bad = [...portion.bad, ...beyond]
  const imported = await store.upsertRows(db, workspaceId, held.listId, ready)
  await store.insertBadRows(db, id, bad)
  // A second row with an address of this portion changed a contact, as one in a later portion would.
  const tally = { total: portion.rows, imported, updated: portion.rows - bad.length - imported, skipped: bad.length }
  if (!(await store.advance(db, workspaceId, id, from, tally, progress))) throw new TakenOver()
}

/** Parts what the plan has room for from what is beyond it; contacts that exist already are always within. */
async function withinLimit(
  db: Db,
  row: store.ImportRow,
  rows: store.Ready[],
): Promise<{ ready: store.Ready[]; beyond: store.BadRow[] }> {
  const limit = row.contactLimit
  if (limit === null) return { ready: rows, beyond: [] }
  let room = limit - (await countContacts(db, row.workspaceId, limit))
  if (room >= rows.length) return { ready: rows, beyond: [] }
  const known = await store.knownRows(db, row.workspaceId, rows)
  const reason = `your plan keeps ${limit.toLocaleString('en')} contacts, and they are used up`
  const beyond: store.BadRow[] = []
  const ready = rows.filter((row) => {
    if (known.has(row) || room-- > 0) return true
    beyond.push({ row: row.row, reason, line: row.email ?? row.phone ?? '' })
    return false
  })
  return { ready, beyond }
}

/** Tries again what only came in the way of another transaction. */
async function retried(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const { code } = error as { code?: string }
      if (attempt >= TRIES || (code !== '40P01' && code !== '40001')) throw error
    }
  }
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
  const kept = 'The rows before are imported and kept.'
  if (error instanceof FileRefused) return `${error.message} ${kept}`
  if ((error as { code?: string }).code === 'ENOENT')
    return `The file is no longer on the server. ${kept} Send the file again: contacts that are there already are only updated.`
  return `Something went wrong on our side. ${kept} Send the file again: contacts that are there already are only updated.`
}
