import { stat } from 'node:fs/promises'
import { restore } from '#server/platform/csv.ts'
import { normalizeEmail, normalizePhone } from '../../address.ts'
import { DateColumns } from '../dates.ts'
import { detect } from './detect.ts'
import { guessMapping } from './guess.ts'
import { FileRefused, type FileRow } from './refusal.ts'
import { guessDelimiter, namedDelimiter, readCsv, readHead, readText } from './text.ts'
import { openWorkbook, readXlsx } from './xlsx.ts'

export interface RowFile {
  kind: 'csv' | 'xlsx'
  encoding: string
  /** Null for a workbook. */
  delimiter: string | null
  /** One name a column, none empty, none twice. */
  columns: string[]
  /** Yields the data rows in batches. Can be called again. */
  rows(): AsyncIterable<FileRow[]>
  /** Share of the file read by the latest `rows()`, 0 to 1. */
  progress(): number
}

const HEAD = 65_536
const HELD_ROWS = 10
/** Rows of a look that are compared with each other. */
const COMPARED_ROWS = 5_000
/** Rows are counted for so long. */
const COUNT_MS = 3_000
/** Characters of a cell that a look shows. */
const CELL_SHOWN = 1_000

/** Opens an import file whatever its kind, encoding, delimiter and line ends. Throws FileRefused with a text for people. */
export async function openRows(path: string): Promise<RowFile> {
  const detected = await detect(path)
  const source = detected.kind === 'xlsx' ? await workbook(path) : await delimited(path, detected)
  const first = await firstRow(source.all(() => {}))
  const columns = columnNames(first)
  // Without a heading the first row is data.
  const from = isHeading(first.cells) ? first.row + 1 : first.row
  let read = 0
  return {
    ...source.format,
    columns,
    async *rows() {
      read = 0
      for await (const batch of source.all((share) => (read = share))) {
        const rows = (batch[0]?.row ?? from) < from ? batch.filter((row) => row.row >= from) : batch
        if (rows.length > 0) yield rows
      }
    },
    progress: () => Math.min(1, read),
  }
}

export type FilePreview = Awaited<ReturnType<typeof preview>>

/**
 * What a file holds, for a look before it is imported. Throws FileRefused. `counts: false` reads no more than it must: of a text
 * the first rows that say how dates are written, and a workbook as far as ever, because it may be damaged further on.
 */
export async function preview(path: string, { counts }: { counts: boolean }) {
  const file = await openRows(path)
  const { kind, encoding, delimiter, columns } = file
  const head: string[][] = []
  const look = () => {
    const rows = head.map((row) => columns.map((_, i) => (row[i] ?? '').slice(0, CELL_SHOWN)))
    return { rows, mapping: guessMapping(columns, rows) }
  }
  const start = () => new RepeatedRows(columns, look().mapping, head)
  let repeated: RepeatedRows | undefined
  const dates = new DateColumns(columns)
  let [total, seen, isWhole] = [0, 0, true]
  const ends = Date.now() + COUNT_MS
  for await (const batch of file.rows()) {
    for (const { cells, problem } of batch) {
      if (problem !== null) continue
      if (seen++ < COMPARED_ROWS) dates.add(cells)
      if (head.length < HELD_ROWS) head.push(cells)
      else {
        repeated ??= start()
        repeated.add(cells)
      }
    }
    total += batch.length
    const isSeen = Object.values(dates.formats).every((format) => format !== null) || seen > COMPARED_ROWS
    const isEnough = !counts && kind === 'csv' && head.length === HELD_ROWS && isSeen
    if (isEnough || (repeated && repeated.rows >= COMPARED_ROWS && Date.now() > ends)) {
      isWhole = false
      break
    }
  }
  const { duplicates } = repeated ?? start()
  const found = { ...look(), dateFormats: dates.formats, duplicates }
  return { kind, encoding, delimiter, columns, ...found, total: isWhole ? total : null }
}

/** Counts rows with an address that an earlier row has, or with its number where a file has no addresses. */
class RepeatedRows {
  rows = 0
  duplicates = 0
  private readonly at: number
  private readonly isEmail: boolean
  private readonly keys = new Set<string>()

  constructor(columns: string[], mapping: Record<string, string>, head: string[][]) {
    this.isEmail = Object.values(mapping).includes('email')
    this.at = columns.findIndex((column) => mapping[column] === (this.isEmail ? 'email' : 'phone'))
    for (const cells of head) this.add(cells)
  }

  add(cells: string[]): void {
    if (this.rows++ >= COMPARED_ROWS) return
    const cell = restore(cells[this.at] ?? '').trim()
    const found = this.isEmail ? normalizeEmail(cell) : normalizePhone(cell)
    const key = 'key' in found ? found.key : 'phone' in found ? found.phone : undefined
    if (key === undefined) return
    if (this.keys.has(key)) this.duplicates++
    else this.keys.add(key)
  }
}

interface Source {
  format: Pick<RowFile, 'kind' | 'encoding' | 'delimiter'>
  /** Every row, heading included; `onShare` hears the share of the file read. */
  all(onShare: (share: number) => void): AsyncIterable<FileRow[]>
}

async function workbook(path: string): Promise<Source> {
  const book = await openWorkbook(path)
  return {
    format: { kind: 'xlsx', encoding: 'UTF-8', delimiter: null },
    all: (onShare) => readXlsx(path, book, (bytes) => onShare(bytes / Math.max(1, book.sheet.packed))),
  }
}

async function delimited(
  path: string,
  found: Extract<Awaited<ReturnType<typeof detect>>, { kind: 'csv' }>,
): Promise<Source> {
  const { size } = await stat(path)
  const { head, whole } = await readHead(
    readText(path, found.encoding, found.bom, () => {}),
    HEAD,
  )
  if (head.includes('\0'))
    throw new FileRefused('The file is not text. Save it as CSV or as an Excel workbook (.xlsx) and send it again.')
  const named = namedDelimiter(head)
  const delimiter = named ?? guessDelimiter(head, whole)
  return {
    format: { kind: 'csv', encoding: found.encoding, delimiter },
    async *all(onShare) {
      const rows = readCsv(
        readText(path, found.encoding, found.bom, (bytes) => onShare(bytes / size)),
        delimiter,
      )
      for await (const batch of rows) {
        const kept = named && batch[0]?.row === 1 ? batch.slice(1) : batch
        if (kept.length > 0) yield kept
      }
    },
  }
}

async function firstRow(all: AsyncIterable<FileRow[]>): Promise<FileRow> {
  for await (const batch of all) {
    const first = batch[0]
    if (!first) continue
    if (first.problem) throw new FileRefused(`The first row cannot be read: ${first.problem}.`)
    return first
  }
  throw new FileRefused('The file holds no rows.')
}

/** A row with an address in it is no heading. */
function isHeading(cells: string[]): boolean {
  return !cells.some((cell) => 'key' in normalizeEmail(cell))
}

function columnNames(first: FileRow): string[] {
  const heading = isHeading(first.cells)
  const names: string[] = []
  for (const [i, cell] of first.cells.entries()) {
    const name =
      (heading &&
        restore(cell)
          .replace(/[\s\u200b\ufeff]+/g, ' ')
          .trim()
          .slice(0, 200)) ||
      `Column ${i + 1}`
    let unique = name
    for (let n = 2; names.includes(unique); n++) unique = `${name} (${n})`
    names.push(unique)
  }
  return names
}
