/**
 * As whom PostgreSQL runs. It refuses to run as root, and a newcomer on a small server is root, often with the checkout in
 * /root, which nobody else may enter. So root runs it in a user namespace, where root's own files belong to "nobody" and
 * nothing is given up but root's powers; where namespaces are not allowed (most containers), as another user.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, lstatSync, readdirSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseStartError } from './errors.ts'
import type { Programs } from './programs.ts'

export interface Identity {
  /** Goes before the program and its arguments. */
  prefix: string[]
  /** The user it runs as, where that is not ours. */
  user?: { uid: number; gid: number }
}

// The id of "nobody" on every system that has namespaces; initdb wants a user that has a name.
const NOBODY = 65_534
const IN_NAMESPACE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--']
// The server killed with -9 takes PostgreSQL along: an immediate shutdown, which frees its shared memory too.
const WITH_US = ['setpriv', '--pdeathsig', 'QUIT', '--']

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

/** The ids of a user of this system, by name. */
function findUserIds(name: string): { uid: number; gid: number } | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout || NaN),
  )
  return uid && gid ? { uid, gid } : undefined
}

/** Whom we may run as, best first. */
function candidates(folder: string): Identity[] {
  if (process.getuid?.() !== 0) return hasName() ? [{ prefix: [] }] : [{ prefix: IN_NAMESPACE }, { prefix: [] }]
  const { uid, gid } = lstatSync(dirname(folder))
  const asUser = (user: Identity['user']): Identity[] => (user ? [{ prefix: [], user }] : [])
  // The data folder of an ordinary user stays theirs: root may only be making a backup of it.
  const asOwner = asUser(uid !== 0 ? { uid, gid } : undefined)
  return [...asOwner, { prefix: IN_NAMESPACE }, ...['postgres', 'nobody'].flatMap((name) => asUser(findUserIds(name)))]
}

/** Gives a folder and all in it to the user who is to run PostgreSQL. Does nothing where it is theirs already, or we are not root. */
export function own(folder: string, { user = { uid: 0, gid: 0 } }: Identity): void {
  if (process.getuid?.() !== 0 || lstatSync(folder).uid === user.uid) return
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), user.uid, user.gid)
  // Last: what a killed start left half done is seen by the next one.
  chownSync(folder, user.uid, user.gid)
}

/** Lets another user pass through the data folder, which shows nothing of it. Returns how to take that back. */
function letThrough(dataDir: string, { user }: Identity): () => void {
  const { mode } = lstatSync(dataDir)
  const isOpen = (mode & 0o011) === 0o011
  if (!user || isOpen) return () => undefined
  chmodSync(dataDir, mode | 0o011)
  return () => chmodSync(dataDir, mode)
}

/** Whether someone can run the programs and write to the folder. Returns '' then, and otherwise why not. */
function tryOut({ prefix, user }: Identity, programs: Programs, folder: string): string {
  const [command = '', ...rest] = [
    ...prefix,
    'sh',
    '-c',
    'test -w "$1" && exec "$2" --version',
    'sh',
    folder,
    programs.postgres,
  ]
  const { status, stderr, error } = spawnSync(command, rest, {
    ...user,
    cwd: '/',
    encoding: 'utf8',
    env: programs.environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (status === 0) return ''
  return (stderr ?? error?.message ?? '').trim().split('\n').at(-1) || `${folder} cannot be reached or written to`
}

/**
 * Finds a way to run PostgreSQL on this folder, and gives the folder to the user of that way. With `withUs`, it ends as soon as
 * this process does, where the system can do that. Throws DatabaseStartError where there is no way.
 */
export function findIdentity(programs: Programs, folder: string): Identity {
  const reasons: string[] = []
  const canTie = spawnSync(WITH_US[0] ?? '', [...WITH_US.slice(1), 'true']).status === 0
  for (const candidate of candidates(folder)) {
    const identity = canTie ? { ...candidate, prefix: [...candidate.prefix, ...WITH_US] } : candidate
    own(folder, identity)
    const closeAgain = letThrough(dirname(folder), identity)
    const reason = tryOut(identity, programs, folder)
    if (reason === '') return identity
    closeAgain()
    reasons.push(reason)
  }
  const what =
    process.getuid?.() === 0
      ? 'PostgreSQL refuses to run as root, and neither in a user namespace nor as another user can it work'
      : 'PostgreSQL cannot work'
  throw new DatabaseStartError(
    `${what} in ${folder} (${reasons.at(-1)}). Start Postlark as an ordinary user with a DATA_DIR of its own, or set DATABASE_URL.`,
  )
}
