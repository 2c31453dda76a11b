/** The data folder, its disk and the clock. */
import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { diskLine, spell } from '#server/features/admin/index.ts'
import type { Config } from '../platform/config.ts'
import { type Check, ok, problem, toCheck, warning } from './check.ts'

const CLOCK_PATIENCE_MS = 2_000
/** Apart by so much, leases and links of two machines still hold. */
const CLOCK_WARNING_SECONDS = 5
const CLOCK_PROBLEM_SECONDS = 60

/** The folder itself, or the nearest one above it that exists. */
function findExisting(folder: string): string {
  let path = folder
  while (!existsSync(path) && dirname(path) !== path) path = dirname(path)
  return path
}

/** Whether the server could work in its data folder as the user who runs this. */
export function checkDataFolder({ dataDir }: Pick<Config, 'dataDir'>): Check {
  const name = 'Data folder'
  const existing = findExisting(dataDir)
  if (!statSync(existing).isDirectory())
    return problem(name, `${existing} is not a folder.`, 'Set DATA_DIR to a folder.')
  try {
    accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return problem(
      name,
      `This user cannot write to ${existing}.`,
      'Run this as the user of the server, or give that user the folder.',
    )
  }
  return existing === dataDir
    ? ok(name, `${dataDir} can be written to.`)
    : ok(name, `${dataDir} does not exist yet. The first start makes it.`)
}

/** The disk of the data folder. */
export const checkDisk = async ({ dataDir }: Pick<Config, 'dataDir'>): Promise<Check> =>
  toCheck(await diskLine(findExisting(dataDir)))

/** Whether the system keeps its clock by a time server; undefined where it does not tell. */
async function isSynchronized(): Promise<boolean | undefined> {
  try {
    const { stdout } = await promisify(execFile)('timedatectl', ['show', '--property=NTPSynchronized', '--value'], {
      timeout: CLOCK_PATIENCE_MS,
    })
    return stdout.trim() === '' ? undefined : stdout.trim() === 'yes'
  } catch {
    return undefined
  }
}

/** The clock, by what the system says and by the clock of the database's machine: seconds it is ahead of ours; undefined: the same machine. */
export async function checkClock(ahead: number | undefined, newest: Date | undefined): Promise<Check> {
  const name = 'Clock'
  const now = new Date()
  const advice = 'Let the system set its clock: timedatectl set-ntp true.'
  if (newest && newest.getTime() - now.getTime() > CLOCK_PROBLEM_SECONDS * 1_000)
    return problem(name, `It shows ${now.toISOString()}, and the database was used at ${newest.toISOString()}.`, advice)
  const apart = Math.abs(ahead ?? 0)
  const compared = ahead === undefined ? '' : ` The database's clock differs by ${apart.toFixed(1)} s.`
  if (apart > CLOCK_PROBLEM_SECONDS)
    return problem(name, `It differs by ${spell(apart)} from the database's clock.`, `Correct both. ${advice}`)
  if (apart > CLOCK_WARNING_SECONDS) return warning(name, `It shows ${now.toISOString()}.${compared}`, advice)
  const synchronized = await isSynchronized()
  if (synchronized === false)
    return warning(name, `It shows ${now.toISOString()}, and no time server corrects it.${compared}`, advice)
  return ok(name, `It shows ${now.toISOString()}.${compared}`)
}

/** Whether there is an embedded database in the data folder. */
export const hasEmbeddedDatabase = ({ dataDir }: Pick<Config, 'dataDir'>): boolean =>
  existsSync(join(dataDir, 'postgres', 'PG_VERSION'))
