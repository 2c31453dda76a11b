import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startServer } from './server-process.ts'

/** The key that every process of such an installation is given. */
export const KEY = 'a secret key of more than thirty-two characters'

/** Processes on machines that share nothing: each has a DATA_DIR of its own, and they meet in the database. */
export function machines(environment: Record<string, string>) {
  const running: { server: ReturnType<typeof startServer>; dataDir: string }[] = []
  return {
    /** Starts a process of a role on a machine of its own and waits until it is ready. */
    async start(role: 'web' | 'worker') {
      const dataDir = mkdtempSync(join(tmpdir(), `postlark-${role}-`))
      const machine = {
        dataDir,
        server: startServer({
          SECRET_KEY: KEY,
          ...environment,
          DATA_DIR: dataDir,
          ROLE: role,
          PORT: String(await freePort()),
        }),
      }
      running.push(machine)
      await machine.server.ready
      return machine
    },
    /** Ends every process in order and returns their exit codes. */
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      const codes = await Promise.all(running.map(({ server }) => server.stop(signal)))
      for (const { dataDir } of running) rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })
      return codes
    },
  }
}
