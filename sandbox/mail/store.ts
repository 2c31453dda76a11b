import { mkdirSync, readdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { type NewRow, Segment, type StoredRow } from './segment.ts'

export interface Bounds {
  /** A segment takes no more mail beyond this. */
  segmentBytes: number
  /** The oldest segments are dropped while all together have more. */
  totalBytes: number
}

const CHUNK = 500

/** The mails of the sandbox on disk, oldest segment first. Ids only grow, also over a clearing and a restart. */
export class MailStore {
  readonly #folder: string
  readonly #bounds: Bounds
  #segments: Segment[]

  constructor(folder: string, bounds: Bounds) {
    mkdirSync(folder, { recursive: true })
    this.#folder = folder
    this.#bounds = bounds
    const firsts = readdirSync(folder).flatMap((name) =>
      /^\d{12}\.mail$/.test(name) ? [Number(name.slice(0, 12))] : [],
    )
    this.#segments = firsts.sort((a, b) => a - b).map((first) => new Segment(folder, first))
    if (this.#segments.length === 0) this.#segments.push(new Segment(folder, 1))
  }

  get count(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.count, 0)
  }

  get #last(): Segment {
    return this.#segments.at(-1) as Segment
  }

  /** Writes a batch; it has reached the operating system when this returns. Throws when the disk refuses it. */
  append(batch: { row: NewRow; raw: Buffer }[]): StoredRow[] {
    if (this.#last.size > this.#bounds.segmentBytes) this.#segments.push(new Segment(this.#folder, this.#last.nextId))
    const rows = this.#last.append(batch)
    let total = this.#segments.reduce((sum, segment) => sum + segment.size, 0)
    while (total > this.#bounds.totalBytes && this.#segments.length > 1) {
      const oldest = this.#segments.shift() as Segment
      total -= oldest.size
      oldest.remove()
    }
    return rows
  }

  /**
   * Newest first, below the id `before`. `q` is looked for in sender, recipients and subject, without case; a search
   * through everything reads the rows in pieces and lets mail come in between.
   */
  async list(given: {
    limit: number
    before?: number | undefined
    q?: string | undefined
  }): Promise<{ items: StoredRow[]; more: boolean }> {
    const items: StoredRow[] = []
    const needle = given.q?.trim().toLowerCase()
    let before = Math.min(given.before ?? Number.POSITIVE_INFINITY, this.#last.nextId)
    for (;;) {
      const segment = this.#segments.findLast((segment) => segment.count > 0 && segment.firstId < before)
      if (!segment) return { items, more: false }
      const to = Math.min(before - segment.firstId, segment.count)
      const from = Math.max(0, to - (needle ? CHUNK : given.limit + 1 - items.length))
      for (const row of matching(segment.lines(from, to), needle)) {
        if (items.length === given.limit) return { items, more: true }
        items.push(row)
      }
      before = segment.firstId + from
      if (needle) await setImmediate()
    }
  }

  row(id: number): StoredRow | undefined {
    return this.#findSegment(id)?.row(id)
  }

  source(id: number): Buffer | undefined {
    const row = this.row(id)
    return row && this.#findSegment(id)?.source(row)
  }

  /** Removes every mail. The next one gets a new id all the same. */
  clear(): void {
    const next = this.#last.nextId
    const old = this.#segments
    // An empty last segment is the one that would be made: there is nothing to remove behind it.
    const keep = this.#last.count === 0 ? old.pop() : undefined
    this.#segments = [keep ?? new Segment(this.#folder, next)]
    for (const segment of old) segment.remove()
  }

  close(): void {
    for (const segment of this.#segments) segment.close()
  }

  #findSegment(id: number): Segment | undefined {
    return this.#segments.findLast((segment) => segment.firstId <= id)
  }
}

function* matching(lines: string[], needle: string | undefined): Generator<StoredRow> {
  const escaped = needle && JSON.stringify(needle).slice(1, -1)
  for (const line of lines.reverse()) {
    // The whole line first: it is cheap, and only a few rows have to be read as JSON then.
    if (escaped && !line.toLowerCase().includes(escaped)) continue
    const row = JSON.parse(line) as StoredRow
    if (!needle || [row.from, row.subject, ...row.to].some((text) => text.toLowerCase().includes(needle))) yield row
  }
}
