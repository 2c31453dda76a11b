import { ConfigError, loadConfig } from './platform/config.ts'
import { DatabaseBusy } from './platform/db/embedded.ts'
import { start } from './start.ts'

/** Ends the process with one clear line for what a person can mend, and the whole error otherwise. */
function fail(error: unknown): never {
  const known = error instanceof ConfigError || error instanceof DatabaseBusy
  const code = (error as NodeJS.ErrnoException).code
  if (known) console.error(`postlark: ${(error as Error).message}`)
  else if (code === 'EADDRINUSE') console.error(`postlark: PORT ${process.env.PORT ?? 3000} is in use by another program. Choose another one.`)
  else console.error('postlark: could not start:', error)
  process.exit(1)
}

async function run() {
  const config = loadConfig()
  const running = await start(config, process.argv.includes('--watch') ? 'watch' : 'built')
  let stopping: Promise<void> | undefined
  const shutDown = () => {
    stopping ??= running.stop().then(
      () => process.exit(0),
      (error) => {
        running.services.log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', shutDown)
  process.on('SIGINT', shutDown)
  console.log(`Postlark is ready: ${config.publicUrl}`)
  if (running.firstAdmin) {
    console.log(`First admin, shown once:  e-mail ${running.firstAdmin.email}  password ${running.firstAdmin.password}`)
  }
}

run().catch(fail)
