/**
 * Makes a checkout ready to run: `node scripts/prepare.mjs [install | server]`. Installs the locked dependencies and builds the
 * server and the pages, each only when missing or stale; `install` builds nothing, `server` no pages. Plain JavaScript without dependencies: it runs on whatever Node (>= 20) the
 * machine has, before the pinned one is there. Prints one line a step, and nothing when there is nothing to do.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const at = (...parts) => join(ROOT, ...parts)
const PINNED_NODE = at('node_modules/node/bin/node')
const INSTALL_STAMP = at('node_modules/.postlark-lock')
/** What is built: the folder, what it is made from, and the program that fills a folder given to it. */
const SERVER = {
  step: 'building the server',
  folder: 'build/server',
  inputs: ['server', 'sandbox', 'contracts', 'scripts/build-server.ts', 'package.json', 'package-lock.json'],
  program: (folder) => [[at('scripts/build-server.ts'), folder], {}],
}
const PAGES = {
  step: 'building the pages',
  folder: 'build/web',
  inputs: [
    'web',
    'contracts',
    'public',
    'vite.config.ts',
    'react-router.config.ts',
    'tsconfig.json',
    'package.json',
    'package-lock.json',
  ],
  program: (folder) => [
    [at('node_modules/.bin/react-router'), 'build', '--logLevel', 'warn'],
    { POSTLARK_BUILD: folder, NODE_ENV: 'production' },
  ],
}
const LOCK = at('.cache/prepare.lock')

class StepFailed extends Error {}

/** Runs a program quietly; what it said is shown only when it fails. */
function run(step, program, given, env = {}) {
  console.log(`postlark: ${step} …`)
  const result = spawnSync(program, given, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1e8,
    env: { ...process.env, ...env },
  })
  if (result.status === 0) return
  const said = [result.stdout, result.stderr, result.error?.message].filter(Boolean).join('\n').trim()
  throw new StepFailed(`${said}\npostlark: ${step} failed (${result.signal ?? `exit ${result.status}`}).`)
}

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
const hash = (text) => createHash('sha256').update(text).digest('hex')

/** Whether npm's own record of what is in node_modules says the same as the lock file. */
function isInstalledAsLocked() {
  const record = read(at('node_modules/.package-lock.json'))
  if (!record) return false
  const wanted = JSON.parse(read(at('package-lock.json'))).packages
  const present = JSON.parse(record).packages
  const same = (path) =>
    wanted[path]?.version === present[path]?.version && wanted[path]?.integrity === present[path]?.integrity
  return (
    Object.keys(present).every(same) &&
    Object.keys(wanted).every((path) => path === '' || wanted[path].optional || path in present)
  )
}

function isInstalled() {
  if (!existsSync(PINNED_NODE)) return false
  const lock = hash(read(at('package-lock.json')))
  if (read(INSTALL_STAMP) === lock) return true
  if (!isInstalledAsLocked()) return false
  writeFileSync(INSTALL_STAMP, lock)
  return true
}

function install() {
  // `npm ci` refuses a lock file without the builds for other systems, which a registry mirror may not have. What the lock
  // file names is installed as it says here too. NODE_ENV=production would leave out what builds the pages.
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
  run('installing the locked dependencies', npm[0], [
    ...npm.slice(1),
    'install',
    '--no-save',
    '--include=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  // Where install scripts are switched off, the pinned Node has to be fetched on its own.
  if (!existsSync(PINNED_NODE))
    run('fetching the pinned Node', process.execPath, [at('node_modules/node/installArchSpecificPackage.js')], {
      npm_config_ignore_scripts: 'false',
    })
  if (!existsSync(PINNED_NODE))
    throw new StepFailed('postlark: the pinned Node (npm package "node") has no program for this machine.')
  writeFileSync(INSTALL_STAMP, hash(read(at('package-lock.json'))))
}

function* filesUnder(path) {
  if (!existsSync(at(path))) return
  if (!statSync(at(path)).isDirectory()) return yield path
  for (const name of readdirSync(at(path)).sort()) yield* filesUnder(`${path}/${name}`)
}

/** A hash over everything that something is built from. */
function hashInputs(roots) {
  const sum = createHash('sha256')
  for (const root of roots) {
    for (const file of filesUnder(root))
      if (!/\.test\.tsx?$/.test(file))
        sum
          .update(`${file}\0`)
          .update(readFileSync(at(file)))
          .update('\0')
  }
  return sum.digest('hex')
}

const isBuilt = ({ folder, inputs }) => read(at(folder, 'inputs.sha256')) === hashInputs(inputs)

/** Builds beside the old folder and puts the new one in its place whole. */
function build({ step, folder, inputs, program }) {
  const hashed = hashInputs(inputs)
  const fresh = `${folder}.new-${process.pid}`
  const old = at(`${folder}.old-${process.pid}`)
  try {
    const [given, env] = program(fresh)
    run(step, PINNED_NODE, given, env)
    writeFileSync(at(fresh, 'inputs.sha256'), hashed)
    if (existsSync(at(folder))) renameSync(at(folder), old)
    renameSync(at(fresh), at(folder))
  } finally {
    for (const left of [at(fresh), old]) rmSync(left, { recursive: true, force: true })
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** One process prepares at a time; others wait for it and then look again. A lock whose process is gone is taken over. */
async function takeLock() {
  mkdirSync(at('.cache'), { recursive: true })
  for (let waited = false; ; waited = true) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
      return
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const holder = Number(read(LOCK))
    if (holder > 0 && !isAlive(holder)) rmSync(LOCK, { force: true })
    else if (!waited) console.log('postlark: waiting for another start in this folder …')
    await wait(200)
  }
}

async function prepare(wanted) {
  const isReady = () => isInstalled() && wanted.every(isBuilt)
  if (isReady()) return
  await takeLock()
  try {
    if (!isInstalled()) install()
    for (const one of wanted) if (!isBuilt(one)) build(one)
  } finally {
    rmSync(LOCK, { force: true })
  }
}

const wanted = { install: [], server: [SERVER] }[process.argv[2]] ?? [SERVER, PAGES]
prepare(wanted).catch((error) => {
  console.error(error instanceof StepFailed ? error.message : error)
  // What counts tests reads the last line.
  if (process.env.npm_lifecycle_event === 'test') console.log('0 passed, 1 failed')
  process.exitCode = 1
})
