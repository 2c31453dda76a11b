import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { SandboxScope } from '#server/features/sandbox/index.ts'
import { type NewRow, Owners, Segment, type StoredRow } from './segment.ts'

export interface Bounds {
  /** A segment takes no more mail beyond this. */
  segmentBytes: number
  /** The oldest segments are dropped while all together have more. */
  totalBytes: number
}

const CHUNK = 500
const CLEARED_FILE = 'cleared.json'

/** The mails of the sandbox on disk, oldest segment first. Ids only grow, also over a clearing and a restart. */
export class MailStore {
  readonly #folder: string
  readonly #bounds: Bounds
  readonly #owners = new Owners()
  #segments: Segment[]
  /** Up to which id a workspace cleared its mail away; the installation's own under ''. */
  readonly #cleared: Map<string, number>

  constructor(folder: string, bounds: Bounds) {
    mkdirSync(folder, { recursive: true })
    this.#folder = folder
    this.#bounds = bounds
    const firsts = readdirSync(folder).flatMap((name) =>
      /^\d{12}\.mail$/.test(name) ? [Number(name.slice(0, 12))] : [],
    )
    this.#segments = firsts.sort((a, b) => a - b).map((first) => this.#openSegment(first))
    if (this.#segments.length === 0) this.#segments.push(this.#openSegment(1))
    this.#cleared = new Map(Object.entries(readCleared(folder)))
    for (const [workspaceId, upTo] of this.#cleared) this.#hide(workspaceId ? { workspaceId } : 'system', upTo)
  }

  /** How many mails there are in a scope. */
  count(scope: SandboxScope): number {
    const sees = this.#owners.matcher(scope)
    return this.#segments.reduce((sum, segment) => sum + segment.countSeen(sees), 0)
  }

  #openSegment(first: number): Segment {
    return new Segment(this.#folder, first, this.#owners)
  }

  get #last(): Segment {
    return this.#segments.at(-1) as Segment
  }

  /** Writes a batch; it has reached the operating system when this returns. Throws when the disk refuses it. */
  append(batch: { row: NewRow; raw: Buffer }[]): StoredRow[] {
    if (this.#last.size > this.#bounds.segmentBytes) this.#segments.push(this.#openSegment(this.#last.nextId))
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
    scope: SandboxScope
    limit: number
    before?: number | undefined
    q?: string | undefined
  }): Promise<{ items: StoredRow[]; more: boolean }> {
    const items: StoredRow[] = []
    const needle = given.q?.trim().toLowerCase()
    const sees = this.#owners.matcher(given.scope)
    let before = Math.min(given.before ?? Number.POSITIVE_INFINITY, this.#last.nextId)
    for (;;) {
      const segment = this.#segments.findLast((segment) => segment.count > 0 && segment.firstId < before)
      if (!segment) return { items, more: false }
      const to = Math.min(before - segment.firstId, segment.count)
      const most = needle ? CHUNK : given.limit + 1 - items.length
      const places = segment.places(sees, to, most)
      for (const row of matching(segment.linesAt(places), needle)) {
        if (items.length === given.limit) return { items, more: true }
        items.push(row)
      }
      before = segment.firstId + (places.length < most ? 0 : (places.at(-1) ?? 0))
      if (needle) await setImmediate()
    }
  }

  row(scope: SandboxScope, id: number): StoredRow | undefined {
    const segment = this.#findSegment(id)
    return segment?.sees(this.#owners.matcher(scope), id - segment.firstId) ? segment.row(id) : undefined
  }

  source(scope: SandboxScope, id: number): Buffer | undefined {
    const row = this.row(scope, id)
    return row && this.#findSegment(id)?.source(row)
  }

  /** Removes every mail of a scope, for every reader. The next one gets a new id all the same. */
  clear(scope: SandboxScope): void {
    if (scope === 'all') return this.#clearAll()
    const upTo = this.#last.nextId - 1
    this.#cleared.set(scope === 'system' ? '' : scope.workspaceId, upTo)
    writeCleared(this.#folder, this.#cleared)
    this.#hide(scope, upTo)
    const everybody = this.#owners.matcher('all')
    // What nobody can see any more is deleted with its file; the last one is written to.
    const empty = this.#segments.filter((one) => one !== this.#last && one.countSeen(everybody) === 0)
    this.#segments = this.#segments.filter((one) => !empty.includes(one))
    for (const segment of empty) segment.remove()
  }

  #hide(scope: SandboxScope, upTo: number): void {
    const sees = this.#owners.matcher(scope)
    for (const segment of this.#segments) segment.hide(sees, upTo)
  }

  #clearAll(): void {
    const next = this.#last.nextId
    const old = this.#segments
    // An empty last segment is the one that would be made: there is nothing to remove behind it.
    const keep = this.#last.count === 0 ? old.pop() : undefined
    this.#segments = [keep ?? this.#openSegment(next)]
    for (const segment of old) segment.remove()
    this.#cleared.clear()
    rmSync(join(this.#folder, CLEARED_FILE), { force: true })
  }

  close(): void {
    for (const segment of this.#segments) segment.close()
  }

  #findSegment(id: number): Segment | undefined {
    return this.#segments.findLast((segment) => segment.firstId <= id)
  }
}

function* matching(lines: Iterable<string>, needle: string | undefined): Generator<StoredRow> {
  const escaped = needle && JSON.stringify(needle).slice(1, -1)
  for (const line of lines) {
    // The whole line first: it is cheap, and only a few rows have to be read as JSON then.
    if (escaped && !line.toLowerCase().includes(escaped)) continue
    const row = JSON.parse(line) as StoredRow
    if (!needle || [row.from, row.subject, ...row.to].some((text) => text.toLowerCase().includes(needle))) yield row
  }
}

function readCleared(folder: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(join(folder, CLEARED_FILE), 'utf8')) as Record<string, number>
  } catch {
    return {}
  }
}

/** Written beside it whole, so that a kill leaves the old one or the new one. */
function writeCleared(folder: string, cleared: Map<string, number>): void {
  const draft = join(folder, `${CLEARED_FILE}.new`)
  writeFileSync(draft, JSON.stringify(Object.fromEntries(cleared)), { mode: 0o600 })
  renameSync(draft, join(folder, CLEARED_FILE))
}
