/** The folder of the database files: made once by initdb, and of one major version of PostgreSQL. */
import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { DatabaseStartError } from './errors.ts'
import { findIdentity, type Identity } from './identity.ts'
import type { Programs } from './programs.ts'

/** From here on C.UTF-8 is PostgreSQL's own, so that the order of texts never changes with the system's libraries. */
const OWN_LOCALE = 17

const lastLines = (output: string) => output.trim().split('\n').slice(-5).join('\n')

function checkVersion(folder: string, { major }: Programs): void {
  const written = Number(readFileSync(join(folder, 'PG_VERSION'), 'utf8'))
  if (written === major) return
  throw new DatabaseStartError(
    `The database in ${folder} was made by PostgreSQL ${written}, and this is PostgreSQL ${major}. ` +
      `Set POSTGRES_BIN to the programs of PostgreSQL ${written}, or carry it over as docs/operations.md says.`,
  )
}

function initdbArguments(folder: string, { major }: Programs, isDurable: boolean): string[] {
  const locale =
    major >= OWN_LOCALE
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : ['--locale=C.UTF-8', '--lc-messages=C']
  return [
    ...['-D', folder, '-U', 'postgres', '-E', 'UTF8', ...locale, '--data-checksums', '--no-instructions'],
    // Who reaches the socket is let in; a server started on these files with an open port lets nobody in.
    ...['--auth-local=trust', '--auth-host=reject'],
    ...(isDurable ? [] : ['--no-sync']),
  ]
}

async function initdb(
  programs: Programs,
  identity: Identity,
  folder: string,
  lock: number | undefined,
  isDurable: boolean,
) {
  const [command = '', ...rest] = [...identity.prefix, programs.initdb, ...initdbArguments(folder, programs, isDurable)]
  const child = spawn(command, rest, {
    ...identity.user,
    cwd: '/',
    env: programs.environment,
    stdio: ['ignore', 'pipe', 'pipe', lock ?? 'ignore'],
  })
  const output = Promise.all([text(child.stdout as NodeJS.ReadableStream), text(child.stderr as NodeJS.ReadableStream)])
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
  if (code !== 0)
    throw new DatabaseStartError(
      `initdb could not make the database in ${folder}:\n${lastLines((await output).join('\n'))}`,
    )
}

/**
 * Makes the database's folder where it is missing and checks its version where it is not. Returns as whom PostgreSQL runs
 * there. Made beside its place and moved there whole: a start that is killed leaves nothing half done.
 */
export async function prepareCluster(
  programs: Programs,
  folder: string,
  lock: number | undefined,
  isDurable: boolean,
): Promise<Identity> {
  if (existsSync(join(folder, 'PG_VERSION'))) {
    checkVersion(folder, programs)
    return findIdentity(programs, folder)
  }
  const fresh = `${folder}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { mode: 0o700 })
  const identity = findIdentity(programs, fresh)
  if (identity.user) chownSync(fresh, identity.user.uid, identity.user.gid)
  await initdb(programs, identity, fresh, lock, isDurable)
  renameSync(fresh, folder)
  return identity
}
