import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { graphError } from './graph-error.ts'

interface StoredFile {
  bytes: Buffer
  mimeType: string
  name: string
  /** The id of the business it was sent by or to. */
  business: string
}

const MAX_FILES = 200
/** A drawn image: what the person sends from the sandbox when no other is chosen. */
const IMAGE = readFileSync(new URL('./image.png', import.meta.url))
const LIMITS: [pattern: RegExp, bytes: number][] = [
  [/^image\/webp$/, 500 * 1024],
  [/^image\//, 5 * 1024 * 1024],
  [/^(audio|video)\//, 16 * 1024 * 1024],
  [/./, 100 * 1024 * 1024],
]

/** Uploaded and received files, those used last. */
export class MediaShelf {
  readonly #files = new LRUCache<string, StoredFile>({ max: MAX_FILES })
  readonly #origin: string
  readonly #nextId: () => string

  constructor(origin: string, nextId: () => string) {
    this.#origin = origin
    this.#nextId = nextId
  }

  storeImage = (business: string): string => this.keep(IMAGE, 'image/png', 'image.png', business)

  keep(bytes: Buffer, mimeType: string, name: string, business: string): string {
    const limit = LIMITS.find(([pattern]) => pattern.test(mimeType))?.[1] ?? 0
    if (bytes.length > limit) throw graphError(131053, `The file is larger than ${limit} bytes`)
    const id = this.#nextId()
    this.#files.set(id, { bytes, mimeType, name, business })
    return id
  }

  /** The business of a file. */
  businessOf = (id: string): string | undefined => this.#files.get(id)?.business

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

  /** The bytes of a file, base64, for the phone in /sandbox. */
  read(id: string): { mimeType: string; data: string } | undefined {
    const file = this.#files.get(id)
    return file && { mimeType: file.mimeType, data: file.bytes.toString('base64') }
  }

  /** SHA-256 as a webhook has it: base64, where GET /{MEDIA_ID} says it in hex. */
  fileDigest = (id: string | null): string => {
    const file = this.#files.get(id ?? '')
    return file ? createHash('sha256').update(file.bytes).digest('base64') : ''
  }

  fileName = (id: string): string | undefined => this.#files.get(id)?.name

  send(id: string, business: string, response: ServerResponse): void {
    const stored = this.#files.get(id)
    const file = stored?.business === business ? stored : undefined
    response.writeHead(file ? 200 : 404, { 'content-type': file?.mimeType ?? 'text/plain' })
    response.end(file?.bytes)
  }
}
