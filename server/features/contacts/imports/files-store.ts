/** Files that wait for their import: in the database, because the process that imports a file is not the one that received it. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'

const PART_BYTES = 2 ** 20
const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
/** The quickest: lists of contacts become a fifth, and what is compressed already costs little. */
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

/** The file of an import is not there, or not whole. */
export class FileMissing extends Error {}

/** Stores the file at `path` under a name, part by part: each is a transaction, so that no other statement waits for gigabytes. */
export async function storeFile(db: Db, workspaceId: string, file: string, path: string): Promise<void> {
  let part = 0
  for await (const piece of createReadStream(path, { highWaterMark: PART_BYTES })) {
    const bytes = await compress(piece as Buffer, LEVEL)
    await db.insertInto('importFiles').values({ workspaceId, file, part, bytes }).execute()
    part++
  }
}

/** Writes a stored file of so many bytes to `path`; returns false when `signal` aborted it. Throws FileMissing. */
export async function fetchFile(
  db: Db,
  { workspaceId, filePath, fileSize }: { workspaceId: string; filePath: string; fileSize: string },
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  const target = await open(path, 'wx', 0o600)
  let size = 0
  try {
    for (let part = 0; size < Number(fileSize); part++) {
      if (signal.aborted) return false
      const row = await db
        .selectFrom('importFiles')
        .where('workspaceId', '=', workspaceId)
        .where('file', '=', filePath)
        .where('part', '=', part)
        .select('bytes')
        .executeTakeFirst()
      if (!row) throw new FileMissing()
      const piece = await decompress(row.bytes, { maxOutputLength: PART_BYTES })
      await target.writeFile(piece)
      size += piece.length
    }
  } finally {
    await target.close()
  }
  return true
}

export async function deleteFile(db: Db, workspaceId: string, file: string): Promise<void> {
  await db.deleteFrom('importFiles').where('workspaceId', '=', workspaceId).where('file', '=', file).execute()
}

/** Deletes files that no unfinished import reads: of uploads that were cut off by a kill, more than a day ago. */
export async function deleteForgotten(db: Db): Promise<void> {
  await sql`delete from import_files f where created_at < now() - interval '1 day' and not exists (
    select 1 from imports i where i.workspace_id = f.workspace_id and i.file_path = f.file and i.state in ('queued', 'running'))`.execute(
    db,
  )
}
