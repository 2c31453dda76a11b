import { closeSync, fstatSync, ftruncateSync, openSync, readSync, rmSync, writeSync, writevSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/** What the index holds of one mail. `at` is an ISO time, `size` bytes; `offset` is where its bytes start in the segment. */
export interface StoredRow {
  id: number
  from: string
  to: string[]
  subject: string
  size: number
  at: string
  offset: number
}

export type NewRow = Omit<StoredRow, 'id' | 'offset' | 'size'>

const MAGIC = 0x504c4d31
const HEAD = 12
const MAX_ROW = 1024 * 1024
const LF = 10
const READ = 1024 * 1024

/**
 * One pair of append-only files. `<first id>.mail` holds frames: magic, length and CRC-32 of the row, the row as JSON,
 * the mail's bytes. `<first id>.rows` repeats the rows one a line, so that a list reads no mail; it is made again from
 * the frames where it is short. In memory stands one number a mail: where its row ends.
 */
export class Segment {
  readonly firstId: number
  readonly #folder: string
  readonly #mail: number
  readonly #rows: number
  #mailSize = 0
  #ends = new Uint32Array(1024)
  #count = 0

  constructor(folder: string, firstId: number) {
    this.firstId = firstId
    this.#folder = folder
    this.#mail = openSync(join(folder, `${toSegmentName(firstId)}.mail`), 'a+')
    this.#rows = openSync(join(folder, `${toSegmentName(firstId)}.rows`), 'a+')
    this.#recover()
  }

  get count(): number {
    return this.#count
  }

  /** The id the next mail would get. */
  get nextId(): number {
    return this.firstId + this.#count
  }

  /** Bytes on disk. */
  get size(): number {
    return this.#mailSize + this.#rowsSize
  }

  get #rowsSize(): number {
    return this.#end(this.#count - 1)
  }

  /** Where the row at this index ends; 0 before the first one. */
  #end(index: number): number {
    return index < 0 ? 0 : (this.#ends[index] ?? 0)
  }

  /** Writes mails to the operating system, mail before row. When the disk refuses, nothing of the batch stays and it throws. */
  append(batch: { row: NewRow; raw: Buffer }[]): StoredRow[] {
    const rows: StoredRow[] = []
    const frames: Buffer[] = []
    const lines: string[] = []
    let offset = this.#mailSize
    for (const { row, raw } of batch) {
      const id = this.nextId + rows.length
      // The offset stands in the row and depends on the row's length: its digits are padded to keep that fixed.
      const draft = { ...row, id, size: raw.length, offset: 1e15 }
      const length = Buffer.byteLength(JSON.stringify(draft))
      const start = offset + HEAD + length
      const line = JSON.stringify(draft).replace(/1000000000000000\}$/, `${String(start).padStart(16)}}`)
      frames.push(header(line, length), Buffer.from(line), raw)
      lines.push(line)
      rows.push({ ...draft, offset: start })
      offset = start + raw.length
    }
    const [mailSize, rowsSize] = [this.#mailSize, this.#rowsSize]
    try {
      writeAll(this.#mail, frames, offset - mailSize)
      const text = Buffer.from(`${lines.join('\n')}\n`)
      writeAll(this.#rows, [text], text.length)
    } catch (error) {
      ftruncateSync(this.#mail, mailSize)
      ftruncateSync(this.#rows, rowsSize)
      throw error
    }
    this.#mailSize = offset
    for (const line of lines) this.#push(this.#rowsSize + Buffer.byteLength(line) + 1)
    return rows
  }

  /** Rows by their place in the segment, `from` inclusive, `to` exclusive, as JSON lines. */
  lines(from: number, to: number): string[] {
    const start = this.#end(from - 1)
    const bytes = readAt(this.#rows, start, this.#end(to - 1) - start)
    return bytes.toString('utf8').split('\n').slice(0, -1)
  }

  row(id: number): StoredRow | undefined {
    const index = id - this.firstId
    if (index < 0 || index >= this.#count) return undefined
    return JSON.parse(this.lines(index, index + 1)[0] ?? 'null')
  }

  source(row: StoredRow): Buffer {
    return readAt(this.#mail, row.offset, row.size)
  }

  close(): void {
    closeSync(this.#mail)
    closeSync(this.#rows)
  }

  remove(): void {
    this.close()
    for (const kind of ['mail', 'rows'])
      rmSync(join(this.#folder, `${toSegmentName(this.firstId)}.${kind}`), { force: true })
  }

  #push(end: number): void {
    if (this.#count === this.#ends.length) {
      const wider = new Uint32Array(this.#ends.length * 2)
      wider.set(this.#ends)
      this.#ends = wider
    }
    this.#ends[this.#count++] = end
  }

  /** Brings both files to the last whole mail: a torn row or frame at the end is what a kill left of an unanswered one. */
  #recover(): void {
    const mailBytes = fstatSync(this.#mail).size
    const rowsBytes = fstatSync(this.#rows).size
    for (let at = 0; at < rowsBytes; at += READ) {
      const chunk = readAt(this.#rows, at, Math.min(READ, rowsBytes - at))
      for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, end + 1)) this.#push(at + end + 1)
    }
    while (this.#count > 0 && !this.#lastFits(mailBytes)) this.#count--
    ftruncateSync(this.#rows, this.#rowsSize)
    const last = this.row(this.nextId - 1)
    let at = last ? last.offset + last.size : 0
    for (let line = frameAt(this.#mail, at, mailBytes); line; line = frameAt(this.#mail, at, mailBytes)) {
      const row = JSON.parse(line) as StoredRow
      const text = Buffer.from(`${line}\n`)
      writeAll(this.#rows, [text], text.length)
      this.#push(this.#rowsSize + text.length)
      at = row.offset + row.size
    }
    ftruncateSync(this.#mail, at)
    this.#mailSize = at
  }

  #lastFits(mailBytes: number): boolean {
    try {
      const last = this.row(this.nextId - 1)
      return last !== undefined && last.id === this.nextId - 1 && last.offset + last.size <= mailBytes
    } catch {
      return false
    }
  }
}

/** A segment's file name without its ending: ids sort as text. */
export const toSegmentName = (firstId: number) => String(firstId).padStart(12, '0')

function header(line: string, length: number): Buffer {
  const head = Buffer.allocUnsafe(HEAD)
  head.writeUInt32BE(MAGIC, 0)
  head.writeUInt32BE(length, 4)
  head.writeUInt32BE(crc32(line), 8)
  return head
}

/** The row of the frame at this place, if the whole frame is there. */
function frameAt(file: number, at: number, size: number): string | undefined {
  if (at + HEAD > size) return undefined
  const head = readAt(file, at, HEAD)
  const length = head.readUInt32BE(4)
  if (head.readUInt32BE(0) !== MAGIC || length > MAX_ROW || at + HEAD + length > size) return undefined
  const line = readAt(file, at + HEAD, length)
  if (crc32(line) !== head.readUInt32BE(8)) return undefined
  const row = JSON.parse(line.toString('utf8')) as StoredRow
  return row.offset + row.size <= size ? line.toString('utf8') : undefined
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let got = 0
  while (got < length) {
    const read = readSync(file, bytes, got, length - got, position + got)
    if (read === 0) throw new Error('the sandbox mail file is shorter than its index')
    got += read
  }
  return bytes
}

function writeAll(file: number, parts: Buffer[], length: number): void {
  let written = writevSync(file, parts)
  if (written === length) return
  // A disk that takes a part only says why at the next write.
  const rest = Buffer.concat(parts)
  while (written < length) written += writeSync(file, rest, written, length - written)
}
