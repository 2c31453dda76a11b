import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { FileRefused } from './refusal.ts'

/** A page has at most so many strings, and about so many characters. */
const PAGE = { strings: 1_024, text: 262_144 }
const CACHED_PAGES = 32
/** Bytes held in memory before pages go to a temporary file, and the most a workbook may hold at all. Read one after the other they come from the system's cache. */
const IN_MEMORY = 8 * 2 ** 20
const MAX = 512 * 2 ** 20

interface StringPage {
  /** The number of its first string. */
  first: number
  stored: { bytes: Buffer } | { at: number; length: number }
}

/**
 * The shared strings of a workbook, by number, in bounded memory: pages of strings, the later ones on disk.
 * Cells name strings in about the order they were first used, so a few unpacked pages are enough.
 */
export class StringTable {
  /** How many strings there are. */
  count = 0
  private readonly pages: StringPage[] = []
  private open: string[] = []
  private openText = 0
  private readonly cache = new LRUCache<StringPage, string[]>({ max: CACHED_PAGES })
  private held = 0
  private spilled = 0
  private file: number | null = null

  add(text: string): void {
    this.open.push(text)
    this.openText += text.length
    this.count++
    if (this.open.length === PAGE.strings || this.openText >= PAGE.text) this.closePage()
  }

  /** The string with this number, or '' when there is none. */
  get(index: number): string {
    const open = index - (this.count - this.open.length)
    if (open >= 0) return this.open[open] ?? ''
    const page = this.pageWith(index)
    return page ? (this.unpacked(page)[index - page.first] ?? '') : ''
  }

  /** Gives the temporary file's room back. */
  close(): void {
    if (this.file !== null) closeSync(this.file)
    this.file = null
  }

  private closePage(): void {
    const bytes = Buffer.from(JSON.stringify(this.open))
    const first = this.count - this.open.length
    this.open = []
    this.openText = 0
    if (this.held + this.spilled + bytes.length > MAX) {
      throw new FileRefused('The workbook holds more than 512 MB of text. Save the sheet as CSV and send it again.')
    }
    if (this.held + bytes.length <= IN_MEMORY) {
      this.held += bytes.length
      this.pages.push({ first, stored: { bytes } })
      return
    }
    this.file ??= openUnnamed()
    writeSync(this.file, bytes, 0, bytes.length, this.spilled)
    this.pages.push({ first, stored: { at: this.spilled, length: bytes.length } })
    this.spilled += bytes.length
  }

  /** Pages are in the order of their first strings. */
  private pageWith(index: number): StringPage | undefined {
    let low = 0
    for (let high = this.pages.length; low < high; ) {
      const middle = (low + high) >>> 1
      if ((this.pages[middle]?.first ?? 0) <= index) low = middle + 1
      else high = middle
    }
    return this.pages[low - 1]
  }

  private unpacked(page: StringPage): string[] {
    const cached = this.cache.get(page)
    if (cached) return cached
    const strings: string[] = JSON.parse(this.load(page.stored).toString('utf8'))
    this.cache.set(page, strings)
    return strings
  }

  private load(stored: StringPage['stored']): Buffer {
    if ('bytes' in stored) return stored.bytes
    const bytes = Buffer.alloc(stored.length)
    if (this.file !== null) readSync(this.file, bytes, 0, stored.length, stored.at)
    return bytes
  }
}

/** A temporary file that has lost its name already: its room comes back however the thread ends. */
function openUnnamed(): number {
  const path = join(tmpdir(), `postlark-strings-${randomUUID()}`)
  const file = openSync(path, 'wx+', 0o600)
  rmSync(path, { force: true })
  return file
}
