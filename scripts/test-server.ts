/** npm run test:server: the integration tests on the PostgreSQL that DATABASE_URL names, which its user may make databases on. */
import { runNode } from './check.ts'

if (process.env.DATABASE_URL)
  process.exitCode = await runNode(['node_modules/.bin/vitest', 'run', '--project', 'integration'])
else {
  console.error('DATABASE_URL is missing: npm run test:server tests against that server. npm test brings its own.')
  process.exitCode = 1
}
