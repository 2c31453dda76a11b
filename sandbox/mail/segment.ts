import { closeSync, fstatSync, ftruncateSync, openSync, readSync, rmSync, writeSync, writevSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { SandboxScope } from '#server/features/sandbox/index.ts'

/** What the index holds of one mail. `at` is an ISO time, `size` bytes; `offset` is where its bytes start in the segment. */
export interface StoredRow {
  /** The workspace that sent it; null: none, it is the installation's own or a stranger's. */
  workspace: string | null
  id: number
  from: string
  to: string[]
  subject: string
  size: number
  at: string
  offset: number
}

export type NewRow = Omit<StoredRow, 'id' | 'offset' | 'size'>

/** The owner, in memory, of a mail that its workspace cleared away. */
const CLEARED = 0xffff_ffff
const NOBODY = 0

/** Small numbers for workspaces, so that the owner of a mail takes four bytes in memory. */
export class Owners {
  readonly #numbers = new Map<string, number>()

  /** The number of a workspace, a new one where it has none yet. */
  number(workspace: string | null): number {
    if (workspace === null) return NOBODY
    const known = this.#numbers.get(workspace) ?? this.#numbers.size + 1
    this.#numbers.set(workspace, known)
    return known
  }

  /** Tells which owners' mail a reader may see. */
  matcher(scope: SandboxScope): (owner: number) => boolean {
    if (scope === 'all') return (owner) => owner !== CLEARED
    const wanted = scope === 'system' ? NOBODY : this.#numbers.get(scope.workspaceId)
    return (owner) => owner === wanted
  }
}

const MAGIC = 0x504c4d31
const HEAD = 12
const MAX_ROW = 1024 * 1024
const LF = 10
const READ = 1024 * 1024
const ROWS_AT_ONCE = 2_000

/**
 * One pair of append-only files. `<first id>.mail` holds frames: magic, length and CRC-32 of the row, the row as JSON,
 * the mail's bytes. `<first id>.rows` repeats the rows one a line, so that a list reads no mail; it is made again from
 * the frames where it is short. In memory stand two numbers a mail: where its row ends, and whose it is.
 */
export class Segment {
  readonly firstId: number
  readonly #folder: string
  readonly #mail: number
  readonly #rows: number
  #mailSize = 0
  #ends = new Uint32Array(1024)
  #owned = new Uint32Array(1024)
  #count = 0
  readonly #owners: Owners

  constructor(folder: string, firstId: number, owners: Owners) {
    this.firstId = firstId
    this.#owners = owners
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
    for (const line of lines) this.#push(this.#rowsSize + Buffer.byteLength(line) + 1, line)
    return rows
  }

  /** Up to `most` mails below the place `before` that somebody may see, by their places, last first. */
  places(sees: (owner: number) => boolean, before: number, most: number): number[] {
    const found: number[] = []
    for (let at = before - 1; at >= 0 && found.length < most; at--) if (this.sees(sees, at)) found.push(at)
    return found
  }

  /** Whether somebody may see the mail at this place. */
  sees(sees: (owner: number) => boolean, place: number): boolean {
    return place >= 0 && place < this.#count && sees(this.#owned[place] ?? CLEARED)
  }

  countSeen(sees: (owner: number) => boolean): number {
    let count = 0
    for (let at = 0; at < this.#count; at++) if (this.sees(sees, at)) count++
    return count
  }

  /** Hides the mails of this owner up to an id from everybody. */
  hide(sees: (owner: number) => boolean, upTo: number): void {
    for (let at = Math.min(this.#count, upTo - this.firstId + 1) - 1; at >= 0; at--)
      if (this.sees(sees, at)) this.#owned[at] = CLEARED
  }

  /** Rows at these places, last first, as JSON lines; neighbors are read at once. */
  *linesAt(places: number[]): Generator<string> {
    for (let i = 0; i < places.length; ) {
      let end = i + 1
      while (end < places.length && places[end] === (places[end - 1] ?? 0) - 1) end++
      yield* this.lines(places[end - 1] ?? 0, (places[i] ?? 0) + 1).reverse()
      i = end
    }
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

  #push(end: number, line: string): void {
    if (this.#count === this.#ends.length) {
      this.#ends = widened(this.#ends)
      this.#owned = widened(this.#owned)
    }
    this.#owned[this.#count] = this.#owners.number(findWorkspace(line))
    this.#ends[this.#count++] = end
  }

  /** Brings both files to the last whole mail: a torn row or frame at the end is what a kill left of an unanswered one. */
  #recover(): void {
    const mailBytes = fstatSync(this.#mail).size
    const rowsBytes = fstatSync(this.#rows).size
    for (let at = 0; at < rowsBytes; at += READ) {
      const chunk = readAt(this.#rows, at, Math.min(READ, rowsBytes - at))
      for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, end + 1)) this.#push(at + end + 1, '')
    }
    while (this.#count > 0 && !this.#lastFits(mailBytes)) this.#count--
    ftruncateSync(this.#rows, this.#rowsSize)
    for (let at = 0; at < this.#count; at += ROWS_AT_ONCE)
      for (const [i, line] of this.lines(at, Math.min(this.#count, at + ROWS_AT_ONCE)).entries())
        this.#owned[at + i] = this.#owners.number(findWorkspace(line))
    const last = this.row(this.nextId - 1)
    let at = last ? last.offset + last.size : 0
    for (let line = frameAt(this.#mail, at, mailBytes); line; line = frameAt(this.#mail, at, mailBytes)) {
      const row = JSON.parse(line) as StoredRow
      const text = Buffer.from(`${line}\n`)
      writeAll(this.#rows, [text], text.length)
      this.#push(this.#rowsSize + text.length, line)
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

/** The workspace of a row; it stands first in the line, where nothing that a mail says can stand. */
function findWorkspace(line: string): string | null {
  return /^\{"workspace":"(\d+)"/.exec(line)?.[1] ?? null
}

function widened(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(numbers.length * 2)
  wider.set(numbers)
  return wider
}

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
