import { defineConfig } from 'vitest/config'

/** Two projects: `parts` through the API and single parts, `whole` through real processes and a browser. */
export default defineConfig({
  test: {
    pool: 'forks',
    globalSetup: ['server/testing/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // What is waited for comes at once, except on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['{contracts,server,sandbox,scripts,web}/**/*.test.{ts,tsx}'],
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['e2e/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          // Each starts servers and browsers of its own: one at a time keeps their clocks honest.
          fileParallelism: false,
        },
      },
    ],
  },
})
