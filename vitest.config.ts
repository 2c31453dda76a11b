import { defineConfig } from 'vitest/config'
import { findRings } from './scripts/test-rings.ts'

const { unit, integration } = findRings()
const globalSetup = ['server/testing/global-setup.ts']

/**
 * Four rings: `unit` starts nothing, `integration` the product in the worker's process, `browser` Chromium before it, and
 * `faults` processes that are killed, PostgreSQLs of their own and fresh checkouts. But for `unit`, a worker waits a quarter
 * of its time or more, so there is one more of them than processors. scripts/test.ts says which rings run at the same time.
 */
export default defineConfig({
  test: {
    pool: 'forks',
    // Node loads the sources itself, as it does in production: no test replaces a module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 120_000,
    hookTimeout: 180_000,
    setupFiles: ['server/testing/property-seed.ts'],
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: unit, isolate: false, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: integration,
          globalSetup,
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['e2e/browser/**/*.test.ts'],
          globalSetup,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          // The files of a worker share a product and a Chromium (e2e/support).
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['e2e/faults/**/*.test.ts'],
          globalSetup: [...globalSetup, 'e2e/support/prepared-folder.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          // A file leaves nothing in its worker: what it starts are processes of their own. Those take half of the time.
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
