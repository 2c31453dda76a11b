import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { FileRefused } from './file/refusal.ts'
import type { BadRow, ImportRow } from './imports-store.ts'

/** Listed rows of an import that are stored, and their characters; further ones are only counted. */
const STORED = { rows: 100_000, text: 32 * 2 ** 20 }
/** With so many bad rows, at least one in ten rows must be good. */
const TOLERATED = 100_000
/** Rows of one file; a sheet has its own bound. */
const MAX_ROWS = 20_000_000

/** What one import may store and read. Counts what earlier runs of the same import did. */
export class ImportLimits {
  private rows: number
  private bad: number
  private stored: { rows: number; text: number }

  constructor(rows: number, bad: number, stored: { rows: number; text: number }) {
    this.rows = rows
    this.bad = bad
    this.stored = stored
  }

  /** Those of the listed rows that are still stored. */
  toStore(listed: BadRow[]): BadRow[] {
    let { rows, text } = this.stored
    return listed.filter((row) => {
      rows++
      text += size(row)
      return rows <= STORED.rows && text <= STORED.text
    })
  }

  /** Counts a portion that was stored: its rows, those that are listed with a reason, and how many of them are bad. */
  note(rows: number, listed: BadRow[], bad: number): void {
    for (const row of this.toStore(listed)) {
      this.stored.rows++
      this.stored.text += size(row)
    }
    this.rows += rows
    this.bad += bad
  }

  /** Throws FileRefused when the file is no table of contacts, or has more rows than an import takes. */
  check(): void {
    if (this.bad > TOLERATED && this.rows - this.bad < this.bad / 9) {
      throw new FileRefused(
        `More than ${TOLERATED.toLocaleString('en')} rows cannot be imported, and fewer than one in ten can. The list of bad rows says why.`,
      )
    }
    if (this.rows > MAX_ROWS) {
      throw new FileRefused(
        `The file has more than ${MAX_ROWS.toLocaleString('en')} rows. Split it and send the parts one after the other.`,
      )
    }
  }
}

const size = ({ reason, line }: BadRow) => reason.length + line.length

/** The limits of an import, with what its earlier runs stored. */
export async function createImportLimits(db: Db, row: ImportRow): Promise<ImportLimits> {
  const stored = await db
    .selectFrom('importErrors')
    .where('workspaceId', '=', row.workspaceId)
    .where('importId', '=', row.id)
    .select([sql<string>`count(*)`.as('rows'), sql<string>`coalesce(sum(length(reason) + length(line)), 0)`.as('text')])
    .executeTakeFirstOrThrow()
  // Where the first of repeated rows counts, the others are skipped without being bad.
  const bad = Number(row.skipped) - (row.keep === 'first' ? Number(row.duplicates) : 0)
  return new ImportLimits(Number(row.total), bad, { rows: Number(stored.rows), text: Number(stored.text) })
}
