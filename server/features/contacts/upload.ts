import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { invalid, Refusal, tooMany } from '#server/platform/http/refusal.ts'
import { Semaphore } from '#server/platform/semaphore.ts'

/** The largest import file, in bytes. */
export const LARGEST_FILE = 2 * 1024 ** 3
/** What a form adds around the file at most. */
const FORM = 1024 ** 2
const DAY = 86_400_000
const RETRY_SECONDS = 30

/** Files that are on their way or looked into at once. Each may fill the disk by 2 GB before it is known whose turn it is. */
const uploads = new Semaphore({ total: 20, each: 3 })

/** Counts an upload of a workspace until what is returned is called. Throws Refusal 429 at the fourth at once. */
export function countUpload(workspaceId: string): () => void {
  const release = uploads.tryAcquire(workspaceId)
  if (!release)
    throw tooMany('Other import files are still on their way. Try again when they have arrived.', RETRY_SECONDS)
  return release
}

export interface Upload {
  /** Name in the import folder. */
  file: string
  fileName: string
  /** Bytes. */
  size: number
  fields: Record<string, string>
}

const folder = (dataDir: string) => join(dataDir, 'imports')

/** Where an uploaded file lies. The name is ours: nothing of it comes from outside. */
export const importPath = (dataDir: string, file: string) => join(folder(dataDir), file)

const tooLarge = () =>
  new Refusal(
    413,
    'too_large',
    'The file is larger than 2 GB. Nothing was kept. Split it and send the parts one after the other.',
  )

/** Takes a form with one file, streamed to the disk, and some short fields. Whatever goes wrong, no file stays behind. */
export async function takeUpload(request: FastifyRequest, dataDir: string, known: string[]): Promise<Upload> {
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_FILE + FORM) throw tooLarge()
  const upload: Upload = { file: '', fileName: '', size: 0, fields: {} }
  await mkdir(folder(dataDir), { recursive: true })
  try {
    for await (const part of request.parts({ limits: { fileSize: LARGEST_FILE, files: 1 } })) {
      if (part.type === 'field') {
        if (!known.includes(part.fieldname)) throw invalid(part.fieldname, 'is not a known field')
        upload.fields[part.fieldname] = String(part.value)
        continue
      }
      if (part.fieldname !== 'file') throw invalid(part.fieldname, 'is not a known field; send the file as file')
      upload.file = randomUUID()
      upload.fileName = shownName(part.filename)
      const written = createWriteStream(importPath(dataDir, upload.file), { flags: 'wx', mode: 0o600 })
      await pipeline(part.file, written)
      upload.size = written.bytesWritten
      if (part.file.truncated) throw tooLarge()
    }
    if (!upload.file) throw invalid('file', 'is missing: choose a CSV file or an Excel workbook')
    return upload
  } catch (error) {
    if (upload.file) await rm(importPath(dataDir, upload.file), { force: true })
    const { code, statusCode } = error as { code?: string; statusCode?: number }
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw tooLarge()
    if (code === 'ENOSPC')
      throw new Refusal(
        507,
        'disk_full',
        'The server has no room for the file. Nothing was kept. Free some room and send it again.',
      )
    if (error instanceof Refusal || statusCode) throw error
    throw new Refusal(400, 'invalid', 'The file did not arrive whole. Nothing was kept. Send it again.')
  }
}

/** The last part of the name, one line, for showing only. */
function shownName(name: string | undefined): string {
  const last = (name ?? '').split(/[\\/]/).at(-1) ?? ''
  const shown = last
    .replace(/[\p{C}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, 200)
  return shown || 'file'
}

/** Removes files nobody will read: uploads that were cut off by a kill, more than a day old. */
export async function sweepUploads(dataDir: string, inUse: Set<string>): Promise<void> {
  const names = await readdir(folder(dataDir)).catch(() => [])
  for (const name of names) {
    const path = importPath(dataDir, name)
    const age = await stat(path).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0,
    )
    if (!inUse.has(name) && age > DAY) await rm(path, { force: true })
  }
}
