import { createReadStream } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import iconv from 'iconv-lite'
import { CsvReader } from './csv.ts'
import type { Encoding } from './detect.ts'
import { CAPS, type FileRow } from './refusal.ts'

/** Large enough for about a thousand rows a piece, small enough that memory stays flat. */
const PIECE = 65_536
const DELIMITERS = [',', ';', '\t', '|']

/** Yields the file as text, without its byte order mark. `onBytes` hears how many bytes were read so far. */
export async function* readText(path: string, encoding: Encoding, bom: number, onBytes: (bytes: number) => void) {
  const decoder = encoding === 'UTF-8' ? new StringDecoder('utf8') : iconv.getDecoder(encoding)
  let bytes = bom
  for await (const piece of createReadStream(path, { start: bom, highWaterMark: PIECE }) as AsyncIterable<Buffer>) {
    bytes += piece.length
    const text = decoder.write(piece)
    if (text) yield text
    onBytes(bytes)
  }
  const rest = decoder.end()
  if (rest) yield rest
}

/** Yields the rows of a delimited text file in batches. */
export async function* readCsv(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<FileRow[]> {
  const reader = new CsvReader(delimiter)
  for await (const piece of text) {
    const rows = reader.push(piece)
    if (rows.length > 0) yield rows
  }
  const rows = reader.end()
  if (rows.length > 0) yield rows
}

/** The first `size` characters of a text. */
export async function readHead(text: AsyncIterable<string>, size: number): Promise<{ head: string; whole: boolean }> {
  let head = ''
  for await (const piece of text) {
    head += piece
    if (head.length >= size) return { head: head.slice(0, size), whole: false }
  }
  return { head, whole: true }
}

/** Excel writes `sep=;` before the first row to name the delimiter. */
export function namedDelimiter(head: string): string | null {
  const delimiter = /^"?sep=([,;\t|])"?(?=[\r\n]|$)/i.exec(head)?.[1]
  return delimiter ?? null
}

/** The delimiter that splits most rows into the same number of cells; a comma when the file has one column. */
export function guessDelimiter(head: string, whole: boolean): string {
  let best = { delimiter: ',', score: 0, columns: 1 }
  for (const delimiter of DELIMITERS) {
    const reader = new CsvReader(delimiter)
    const rows = [...reader.push(head), ...(whole ? reader.end() : [])]
      .filter((row) => row.problem === null)
      .slice(0, 200)
    const columns = rows[0]?.cells.length ?? 1
    if (columns < 2 || columns > CAPS.columns) continue
    const score = rows.filter((row) => row.cells.length === columns).length / rows.length
    if (score > best.score + 0.05 || (score > best.score - 0.05 && columns > best.columns)) {
      best = { delimiter, score, columns }
    }
  }
  return best.delimiter
}
