/** npm run user -- add|set|list: the people of this installation, from the command line. */
import { readArguments, UsageError } from './user-arguments.ts'

try {
  const given = readArguments()
  // The server's parts take a second to load: a mistake in what was given is told before.
  const { runCommand } = await import('./user-commands.ts')
  await runCommand(given)
} catch (error) {
  console.error(error instanceof UsageError ? error.message : error)
  process.exitCode = 1
}
