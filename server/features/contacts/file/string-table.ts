import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileRefused } from './refusal.ts'

const PAGE = 1_024
const CACHED_PAGES = 64
/** Text kept in memory before pages go to a temporary file, and the most a workbook may hold at all, in bytes. */
const IN_MEMORY = 32 * 2 ** 20
const MAX = 4 * 2 ** 30

/**
 * The shared strings of a workbook, by number, in bounded memory: pages of strings, the later ones on disk.
 * Cells name strings in about the order they were first used, so a few unpacked pages are enough.
 */
export class StringTable {
  private readonly pages: ({ bytes: Buffer } | { at: number; length: number })[] = []
  private open: string[] = []
  private readonly cache = new Map<number, string[]>()
  private held = 0
  private spilled = 0
  private file: number | null = null
  private path = ''

  add(text: string): void {
    this.open.push(text)
    if (this.open.length === PAGE) this.closePage()
  }

  /** The string with this number, or '' when there is none. */
  get(index: number): string {
    const number = Math.floor(index / PAGE)
    const page = number === this.pages.length ? this.open : this.page(number)
    return page?.[index % PAGE] ?? ''
  }

  /** Removes the temporary file. */
  close(): void {
    if (this.file === null) return
    closeSync(this.file)
    rmSync(this.path, { force: true })
    this.file = null
  }

  private closePage(): void {
    const bytes = Buffer.from(JSON.stringify(this.open))
    this.open = []
    if (this.held + bytes.length <= IN_MEMORY) {
      this.held += bytes.length
      this.pages.push({ bytes })
      return
    }
    if (this.spilled + bytes.length > MAX) {
      throw new FileRefused('The workbook holds more than 4 GB of text. Save the sheet as CSV and send it again.')
    }
    this.file ??= this.openFile()
    writeSync(this.file, bytes, 0, bytes.length, this.spilled)
    this.pages.push({ at: this.spilled, length: bytes.length })
    this.spilled += bytes.length
  }

  private openFile(): number {
    this.path = join(tmpdir(), `postlark-strings-${randomUUID()}`)
    return openSync(this.path, 'wx+', 0o600)
  }

  private page(number: number): string[] | undefined {
    const cached = this.cache.get(number)
    if (cached) return cached
    const stored = this.pages[number]
    if (!stored) return undefined
    const strings: string[] = JSON.parse(this.load(stored).toString('utf8'))
    // Maps keep their order of insertion: the first key is the page that was unpacked longest ago.
    const [oldest] = this.cache.keys()
    if (oldest !== undefined && this.cache.size >= CACHED_PAGES) this.cache.delete(oldest)
    this.cache.set(number, strings)
    return strings
  }

  private load(stored: { bytes: Buffer } | { at: number; length: number }): Buffer {
    if ('bytes' in stored) return stored.bytes
    const bytes = Buffer.alloc(stored.length)
    if (this.file !== null) readSync(this.file, bytes, 0, stored.length, stored.at)
    return bytes
  }
}
