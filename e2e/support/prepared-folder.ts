import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startServer } from './server-process.ts'

/**
 * Once a run: a data folder with a migrated embedded database and the first admin, which most tests of the ring begin
 * with a copy of. Those whose subject is the first start begin with an empty folder.
 */
export default async function setup() {
  const folder = mkdtempSync(join(tmpdir(), 'postlark-prepared-'))
  const server = startServer({ DATA_DIR: folder, PORT: String(await freePort()), SMTP_URL: 'smtp://127.0.0.1:1' })
  await server.ready
  await server.stop()
  // Where its emulators listened: of two servers on copies, one would take the other's for its own.
  rmSync(join(folder, 'sandbox'), { recursive: true })
  process.env.POSTLARK_PREPARED_FOLDER = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

/** Copies the prepared data folder there; the folder is made where it is missing. */
export function fillDataFolder(folder: string): void {
  const prepared = process.env.POSTLARK_PREPARED_FOLDER
  if (!prepared) throw new Error('no prepared data folder: these tests are run by vitest, whose set-up makes one')
  mkdirSync(folder, { recursive: true })
  execFileSync('cp', ['-a', `${prepared}/.`, folder])
}

/** A new data folder in the system's temporary one, filled with the prepared one. The caller removes it. */
export function newDataFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `postlark-${name}-`))
  fillDataFolder(folder)
  return folder
}
