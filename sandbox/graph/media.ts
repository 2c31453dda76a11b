import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { errorOf } from './graph-error.ts'

interface Stored {
  bytes: Buffer
  mimeType: string
  name: string
}

const KEPT = 200
/** One pixel: what the person sends from the sandbox. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const LIMITS: [pattern: RegExp, bytes: number][] = [
  [/^image\/webp$/, 500 * 1024],
  [/^image\//, 5 * 1024 * 1024],
  [/^(audio|video)\//, 16 * 1024 * 1024],
  [/./, 100 * 1024 * 1024],
]

/** Uploaded and received files, the newest few. */
export class MediaShelf {
  readonly #files = new Map<string, Stored>()
  readonly #origin: string
  readonly #nextId: () => string

  constructor(origin: string, nextId: () => string) {
    this.#origin = origin
    this.#nextId = nextId
  }

  keepPixel = (): string => this.keep(PIXEL, 'image/png', 'picture.png')

  keep(bytes: Buffer, mimeType: string, name: string): string {
    const limit = LIMITS.find(([pattern]) => pattern.test(mimeType))?.[1] ?? 0
    if (bytes.length > limit) throw errorOf(131053, `The file is larger than ${limit} bytes`)
    const id = this.#nextId()
    this.#files.set(id, { bytes, mimeType, name })
    const [oldest] = this.#files.keys()
    if (this.#files.size > KEPT && oldest) this.#files.delete(oldest)
    return id
  }

  /** GET /{MEDIA_ID}. */
  find(id: string) {
    const file = this.#files.get(id)
    return (
      file && {
        messaging_product: 'whatsapp',
        url: `${this.#origin}/media/${id}`,
        mime_type: file.mimeType,
        sha256: createHash('sha256').update(file.bytes).digest('hex'),
        file_size: file.bytes.length,
        id,
      }
    )
  }

  send(id: string, response: ServerResponse): void {
    const file = this.#files.get(id)
    response.writeHead(file ? 200 : 404, { 'content-type': file?.mimeType ?? 'text/plain' })
    response.end(file?.bytes)
  }
}
