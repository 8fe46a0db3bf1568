import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './e2e/harness/longest-first.ts'

const workers = Math.max(1, Math.min(4, availableParallelism()))
const folders = '{packages,apps,scripts,bench}'
const elsewhere = ['**/node_modules/**', '**/dist/**']

export default defineConfig({
  test: {
    maxWorkers: workers,
    sequence: { sequencer: LongestFirst },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: [`${folders}/**/*.test.ts`],
          exclude: [...elsewhere, '**/*.{db,long}.test.ts', 'apps/web/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'db',
          // What a test needs is made by it: nothing of the server's code keeps a state that another file could meet.
          isolate: false,
          include: [`${folders}/**/*.db.test.ts`],
          exclude: elsewhere,
          globalSetup: ['./apps/server/src/platform/database/test-database-setup.ts'],
        },
      },
      './apps/web/vitest.config.ts',
      {
        extends: true,
        test: {
          name: 'long',
          include: ['{packages,apps,scripts,bench,e2e}/**/*.long.test.ts'],
          exclude: elsewhere,
          testTimeout: 900_000,
          hookTimeout: 300_000,
          globalSetup: ['./apps/server/src/platform/database/test-database-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.spec.ts'],
          exclude: elsewhere,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          globalSetup: ['./e2e/harness/seeded-city.ts'],
        },
      },
    ],
  },
})
