import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from './server-process.ts'

/** The folder of PostgreSQL's programs (initdb, pg_ctl): on the path, or where Debian puts them. */
function programs(): string {
  const found = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  const folders = [
    found.status === 0 ? found.stdout.trim() : '',
    ...(existsSync('/usr/lib/postgresql')
      ? readdirSync('/usr/lib/postgresql')
          .sort()
          .reverse()
          .map((version) => `/usr/lib/postgresql/${version}/bin`)
      : []),
  ]
  const folder = folders.find((path) => path !== '' && existsSync(join(path, 'initdb')))
  if (!folder) throw new Error('PostgreSQL is not installed (Debian: apt-get install postgresql)')
  return folder
}

/** A real PostgreSQL of its own in a temporary folder. root may not run it, so then it runs as the user postgres. */
export async function startPostgres(): Promise<{ url: string; stop(): void }> {
  const bin = programs()
  const folder = mkdtempSync(join(tmpdir(), 'postlark-postgres-'))
  const asRoot = userInfo().uid === 0
  if (asRoot) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })))
    chownSync(folder, uid as number, gid as number)
  }
  chmodSync(folder, 0o700)
  const run = (program: string, ...given: string[]) => {
    const command = [join(bin, program), ...given]
    const [first = '', ...rest] = asRoot
      ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command]
      : command
    const result = spawnSync(first, rest, { encoding: 'utf8', cwd: folder })
    if (result.status !== 0) throw new Error(`${program} failed: ${result.stderr}${result.stdout}`)
  }
  const port = await freePort()
  run('initdb', '-D', join(folder, 'data'), '-U', 'postlark', '-A', 'trust', '--no-sync', '-E', 'UTF8')
  run(
    'pg_ctl',
    '-D',
    join(folder, 'data'),
    '-w',
    '-l',
    join(folder, 'log'),
    '-o',
    `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`,
    'start',
  )
  return {
    url: `postgres://postlark@127.0.0.1:${port}/postgres`,
    stop() {
      run('pg_ctl', '-D', join(folder, 'data'), '-m', 'immediate', '-w', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
