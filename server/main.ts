import { setFlagsFromString } from 'node:v8'
import { BackupError } from './platform/backup/index.ts'
import { loadConfig } from './platform/config.ts'
import { DatabaseStartError } from './platform/db/embedded/index.ts'
import { MigrationError } from './platform/db/migrate.ts'
import { ConfigError } from './platform/environment.ts'
import { type Running, start } from './start.ts'

/** What a person can fix. */
const KNOWN = [BackupError, ConfigError, DatabaseStartError, MigrationError]

/** Ends the process with one clear line for what a person can fix, and the whole error otherwise. */
function fail(error: unknown): never {
  const known = KNOWN.some((kind) => error instanceof kind)
  const code = (error as NodeJS.ErrnoException).code
  if (known) console.error(`postlark: ${(error as Error).message}`)
  else if (code === 'EADDRINUSE')
    console.error(`postlark: PORT ${process.env.PORT ?? 3000} is in use by another program. Choose another one.`)
  else console.error('postlark: could not start:', error)
  process.exit(1)
}

// `node --watch` has every thread report its imports as messages, beside ours. What is watched stands in package.json.
delete process.env.WATCH_REPORT_DEPENDENCIES

// `npm start` limits the young generation of this thread. Threads have limits of their own, which the flag would overrule.
setFlagsFromString('--max-semi-space-size=0')
// Garbage is removed when a heap is half as large again as it was left the last time; V8 would wait for four times as much.
setFlagsFromString('--heap-growing-percent=50')

const SAME_WISH_MS = 1_000

async function run() {
  const config = loadConfig()
  let starting: Promise<Running> | undefined
  let stoppingSince: number | undefined
  const shutDown = async () => {
    if (stoppingSince !== undefined) {
      // Ctrl-C reaches npm, the shell and this process, and again from npm: that is one wish. A later one is impatience:
      // what is in flight is cut off, as by kill -9, and the next start settles it.
      if (performance.now() - stoppingSince > SAME_WISH_MS) process.exit(0)
      return
    }
    stoppingSince = performance.now()
    const running = await starting?.catch(() => undefined)
    await running?.stop()
    process.exit(0)
  }
  process.on('SIGTERM', shutDown)
  process.on('SIGINT', shutDown)
  starting = start(config, process.argv.includes('--watch') ? 'watch' : 'built')
  const running = await starting
  if (stoppingSince !== undefined) return
  console.log(`Postlark is ready: ${config.publicUrl}`)
  if (config.isExposed)
    console.log(
      'This is not production mode: outside services that are not configured are fakes on this machine. Set NODE_ENV=production.',
    )
  if (running.firstAdmin) {
    console.log(`First admin, shown once:  e-mail ${running.firstAdmin.email}  password ${running.firstAdmin.password}`)
  }
}

run().catch(fail)
