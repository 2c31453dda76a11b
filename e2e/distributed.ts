/**
 * npm run test:distributed: the integration tests on tables spread over a Citus cluster of a coordinator and two nodes on this
 * machine, then e2e/faults/citus.test.ts and the campaign in e2e/faults/machines.test.ts. Files may be named:
 * `npm run test:distributed -- server/features/contacts`. docs/citus.md names the tests that fail there.
 */

import { runNode } from '../scripts/check.ts'
import { startCitus } from './support/debian-postgres.ts'

const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--project']
/** Tests that a cluster has nothing to do with, or that do what it cannot; with the reason. */
const EXCLUDED = {
  'server/platform/db/**': 'about a PostgreSQL of their own',
  'server/platform/backup/**': 'about what a copy of the migrated database has',
  'server/doctor/**': 'about a PostgreSQL of their own',
  'server/features/campaigns/launch/launch.test.ts': 'holds a launch by a lock that is not that of the node',
}

const files = process.argv.slice(2)
const citus = await startCitus(2, { shards: 2, connections: 300 })
if (typeof citus === 'string') {
  console.error(citus)
  process.exitCode = 1
} else {
  const environment = {
    ...process.env,
    DATABASE_URL: citus.url,
    POSTLARK_TEST_NODES: citus.nodeUrls.join(' '),
    NODE_COMPILE_CACHE: '.cache/node',
    POSTLARK_PREPARED: '1',
  }
  const excluded = Object.keys(EXCLUDED).map((pattern) => `--exclude=${pattern}`)
  const ring = await runNode([...VITEST, 'integration', ...excluded, ...files], environment).finally(() => citus.stop())
  const { DATABASE_URL: _, POSTLARK_TEST_NODES: _nodes, ...plain } = environment
  const faults =
    files.length > 0
      ? 0
      : await runNode([...VITEST, 'faults', 'e2e/faults/citus.test.ts', 'e2e/faults/machines.test.ts', '-t', 'itus'], {
          ...plain,
          TEST_LONG: '1',
        })
  process.exitCode = ring || faults
}
