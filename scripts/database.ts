/**
 * npm run database -- COMMAND …: runs a program on the embedded database while the server is stopped, such as psql,
 * pg_dump or pg_restore of Debian's postgresql-client. They find it by PGHOST, PGUSER and PGDATABASE.
 */
import { spawn } from 'node:child_process'
import { loadConfig } from '../server/platform/config.ts'
import { DatabaseStartError, startEmbedded } from '../server/platform/db/embedded/index.ts'
import { createLog } from '../server/platform/log.ts'

const [command, ...given] = process.argv.slice(2)

async function run(program: string): Promise<number> {
  const { dataDir, postgresBin } = loadConfig()
  const embedded = await startEmbedded(dataDir, createLog({ logLevel: 'silent' }), { postgresBin })
  // Ctrl-C is for the program: psql only drops the line that is being typed.
  process.on('SIGINT', () => undefined)
  try {
    const env = { ...process.env, PGHOST: embedded.host, PGUSER: 'postgres', PGDATABASE: 'postgres' }
    const child = spawn(program, given, { stdio: 'inherit', env })
    return await new Promise<number>((resolve, reject) => {
      child.on('error', (error) => reject(new DatabaseStartError(`${program} could not be run: ${error.message}`)))
      child.on('exit', (code) => resolve(code ?? 1))
    })
  } finally {
    await embedded.stop()
  }
}

try {
  if (!command) throw new DatabaseStartError('Usage: npm run database -- COMMAND …, such as psql or pg_dump -f FILE')
  process.exitCode = await run(command)
} catch (error) {
  console.error(error instanceof DatabaseStartError ? error.message : error)
  process.exitCode = 1
}
