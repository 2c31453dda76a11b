/**
 * A backup file: zstd of lines. The first is a header, the last an end; between them stand tables (a line of JSON, the rows
 * in COPY's text format, a line `\.`), the numbers given out, the jobs
 * that wait, and a note of what no table has. `zstdcat FILE` shows it.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createZstdDecompress } from 'node:zlib'
import { z } from 'zod'

export const FORMAT_VERSION = 1

/** What an operator reads in one line: why a backup was not made or not restored. */
export class BackupError extends Error {}

export const Header = z.object({
  format: z.literal('postlark-backup'),
  version: z.number(),
  at: z.iso.datetime(),
  postlark: z.string(),
  migrations: z.array(z.string()),
  /** Of the key that signs and encrypts; null: the database never had one. */
  keyFingerprint: z.string().nullable(),
  /** The generated key, unless SECRET_KEY gave it or the user wanted none. */
  secretKey: z.string().optional(),
})
export type Header = z.infer<typeof Header>

export const Section = z.union([
  z.object({ table: z.string(), columns: z.array(z.string()) }),
  z.object({ sequence: z.object({ table: z.string(), column: z.string(), value: z.string() }) }),
  z.object({
    job: z.object({
      name: z.string(),
      data: z.record(z.string(), z.unknown()),
      startAfter: z.iso.datetime({ offset: true }),
      singletonKey: z.string().nullable(),
      retryLimit: z.number(),
      expireSeconds: z.number(),
    }),
  }),
  z.object({ note: z.unknown() }),
  // `sha256`: of all bytes before this line.
  z.object({ end: z.object({ tables: z.number(), rows: z.number(), sha256: z.string() }) }),
])
export type Section = z.infer<typeof Section>

export const END_OF_ROWS = '\\.\n'
const NEWLINE = 0x0a
// Longer than any line of JSON in the file: a header with its migrations, a job's payload.
const MAX_LINE_BYTES = 16_000_000

/** Reads a backup from its first line to its last. Throws BackupError where the file is damaged or ends too early. */
export class BackupReader {
  #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)
  #read = createHash('sha256')
  #before = this.#read

  /** `content`: the file, decompressed. */
  constructor(content: AsyncIterable<Buffer>) {
    this.#chunks = content[Symbol.asyncIterator]()
  }

  async #readMore(): Promise<boolean> {
    const next = await this.#chunks.next().catch((error: NodeJS.ErrnoException) => {
      throw new BackupError(
        error.code?.startsWith('E') && error.syscall
          ? `The file cannot be read: ${error.message}`
          : 'The file is damaged, or it is not a backup of Postlark.',
      )
    })
    if (next.done) return false
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, next.value]) : next.value
    return true
  }

  /** The next line as JSON. */
  async section<S extends z.ZodType>(schema: S): Promise<z.output<S>> {
    let end = this.#rest.indexOf(NEWLINE)
    while (end < 0) {
      if (this.#rest.length > MAX_LINE_BYTES) throw new BackupError('The file is damaged: a line of it is too long.')
      if (!(await this.#readMore())) throw new BackupError('The file ends too early: the backup was not completed.')
      end = this.#rest.indexOf(NEWLINE)
    }
    this.#before = this.#read.copy()
    const line = this.#take(end + 1).toString()
    const read = schema.safeParse(parse(line))
    if (!read.success) throw new BackupError('The file is damaged, or it is not a backup of Postlark.')
    return read.data
  }

  /** The rows of a table as COPY takes them, in pieces that may end amid a row, up to the line that ends them. */
  async *rows(): AsyncGenerator<Buffer> {
    let isAtLineStart = true
    for (;;) {
      if (isAtLineStart && this.#rest.subarray(0, END_OF_ROWS.length).toString('latin1') === END_OF_ROWS) {
        this.#take(END_OF_ROWS.length)
        return
      }
      const end = this.#rest.indexOf(`\n${END_OF_ROWS}`)
      // As long as the end may begin in what was read last, that waits for more.
      const piece = this.#take(end < 0 ? Math.max(0, this.#rest.length - END_OF_ROWS.length) : end + 1)
      if (piece.length > 0) {
        isAtLineStart = piece.at(-1) === NEWLINE
        yield piece
      } else if (!(await this.#readMore()))
        throw new BackupError('The file ends too early: the backup was not completed.')
    }
  }

  #take(length: number): Buffer {
    const taken = this.#rest.subarray(0, length)
    this.#read.update(taken)
    this.#rest = this.#rest.subarray(length)
    return taken
  }

  /** SHA-256 of all bytes before the last section that was read, in hexadecimal. */
  sha256(): string {
    return this.#before.digest('hex')
  }

  /** After the last section: that the file ends there. */
  async end(): Promise<void> {
    if (this.#rest.length > 0 || (await this.#readMore())) throw new BackupError('The file goes on after its end.')
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}

/** Opens a file; what is wrong with it is told by the first read. */
export function openBackup(file: string): BackupReader {
  const source = createReadStream(file)
  const content = createZstdDecompress()
  source.on('error', (error) => content.destroy(error))
  // The next read throws it; it may come before there is one.
  content.on('error', () => source.destroy())
  return new BackupReader(source.pipe(content))
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
