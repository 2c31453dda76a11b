import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { tooMany } from '#server/platform/http/refusal.ts'
import { Semaphore } from '#server/platform/semaphore.ts'

const DAY = 86_400_000
const RETRY_SECONDS = 30

/** Files that are on their way or looked into at once. Each may fill the disk by 2 GB before it is known whose turn it is. */
const uploads = new Semaphore({ total: 20, each: 3 })

/** Counts an upload of a workspace until what is returned is called. Throws Refusal 429 at the fourth at once. */
export function countUpload(workspaceId: string): () => void {
  const release = uploads.tryAcquire(workspaceId)
  if (!release)
    throw tooMany('Other import files are still being uploaded. Try again when they are done.', RETRY_SECONDS)
  return release
}

/** The folder where this process writes files while it takes or reads them; no other one needs them. */
export const importFolder = (dataDir: string) => join(dataDir, 'imports')

/** A path for one run of an import: another run, of a process with the same folder, has another one. */
export async function newImportPath(dataDir: string): Promise<string> {
  await mkdir(importFolder(dataDir), { recursive: true })
  return join(importFolder(dataDir), randomUUID())
}

/** Removes files nobody reads any more: of a process that was killed, more than a day old. */
export async function sweepUploads(dataDir: string): Promise<void> {
  const names = await readdir(importFolder(dataDir)).catch(() => [])
  for (const name of names) {
    const path = join(importFolder(dataDir), name)
    const age = await stat(path).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0,
    )
    if (age > DAY) await rm(path, { force: true })
  }
}
