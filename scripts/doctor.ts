/** npm run doctor [-- --json]: checks an installation, and exits with 1 where something has to be fixed (docs/operations.md). */
import { parseArgs } from 'node:util'

const USAGE = 'Usage: npm run doctor [-- --json]'

/** Whether the result is for a program. Ends the process where something else was given. */
function wantsJson(): boolean {
  try {
    return parseArgs({ options: { json: { type: 'boolean', default: false } } }).values.json
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`)
    process.exit(1)
  }
}

const isJson = wantsJson()
try {
  // Takes a second to load, which a wrong argument does not wait for.
  const { runDoctor, summarize } = await import('../server/doctor/index.ts')
  const checks = await runDoctor(process.env)
  const isFine = checks.every(({ state }) => state !== 'problem')
  if (isJson) console.log(JSON.stringify({ ok: isFine, checks }, null, 2))
  else {
    for (const { name, state, text, advice } of checks)
      console.log(`${state.padEnd(7)}  ${name}: ${text}${advice ? ` ${advice}` : ''}`)
    console.log(summarize(checks))
  }
  // A connection to a host that does not respond may still be open.
  process.exit(isFine ? 0 : 1)
} catch (error) {
  console.error(`The checks could not be run: ${(error as Error).message}`)
  process.exit(1)
}
