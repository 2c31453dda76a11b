import { ConfigError, loadConfig } from './platform/config.ts'
import { DatabaseBusy } from './platform/db/embedded.ts'
import { type Running, start } from './start.ts'

/** Ends the process with one clear line for what a person can mend, and the whole error otherwise. */
function fail(error: unknown): never {
  const known = error instanceof ConfigError || error instanceof DatabaseBusy
  const code = (error as NodeJS.ErrnoException).code
  if (known) console.error(`postlark: ${(error as Error).message}`)
  else if (code === 'EADDRINUSE')
    console.error(`postlark: PORT ${process.env.PORT ?? 3000} is in use by another program. Choose another one.`)
  else console.error('postlark: could not start:', error)
  process.exit(1)
}

async function run() {
  const config = loadConfig()
  let starting: Promise<Running> | undefined
  let stopping = false
  // Ctrl-C reaches npm, the shell and this process, and again from npm: only the first signal counts, also while starting.
  const shutDown = async () => {
    if (stopping) return
    stopping = true
    const running = await starting?.catch(() => undefined)
    await running?.stop().catch((error) => {
      running.services.log.error({ err: error }, 'stopping failed')
      process.exit(1)
    })
    process.exit(0)
  }
  process.on('SIGTERM', shutDown)
  process.on('SIGINT', shutDown)
  starting = start(config, process.argv.includes('--watch') ? 'watch' : 'built')
  const running = await starting
  if (stopping) return
  console.log(`Postlark is ready: ${config.publicUrl}`)
  if (running.firstAdmin) {
    console.log(`First admin, shown once:  e-mail ${running.firstAdmin.email}  password ${running.firstAdmin.password}`)
  }
}

run().catch(fail)
