import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { contractModule, siteTextsModule } from './apps/web/scripts/virtual-modules.ts'
import { LongestFirst } from './e2e/harness/longest-first.ts'
import { mockingTests } from './scripts/mocking-tests.mjs'

// One more than processors: a test often waits for its database, its server or its page.
const workers = Math.min(4, availableParallelism() + 1)
const folders = '{packages,apps,scripts,bench}'
const mocking = ['packages', 'apps/server/src', 'apps/simulator/src'].flatMap(mockingTests)
const elsewhere = ['**/node_modules/**', '**/dist/**']

const webMocking = mockingTests('apps/web/src').map((file) => file.slice('apps/web/'.length))
const web = (test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  root: fileURLToPath(new URL('apps/web', import.meta.url)),
  plugins: [react(), contractModule(), siteTextsModule()],
  test: { environment: 'happy-dom', ...test },
})

/** Tests of bookings that run with deliveries, too; those of taxi trips only are skipped. The short list is part of `npm test`. */
const delivery = (name: string, files: readonly string[]): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    isolate: false,
    provide: { category: 'delivery' },
    include: files.map((file) => `apps/server/src/features/{bookings,trip-links}/**/${file}.db.test.ts`),
    globalSetup: ['./apps/server/src/platform/database/test-database-setup.ts'],
  },
})

/** Journeys of what only delivery installations do; each sets up its own. All others run in both categories. */
const ofDeliveries = ['category', 'courier', 'scan-label', 'send-parcel']

/** Every page in every language takes minutes: part of `npm run test:long`. */
const overflow = 'e2e/overflow.spec.ts'

const journeys = (test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    // A journey has its own server and windows.
    isolate: false,
    exclude: elsewhere,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    globalSetup: ['./e2e/harness/seeded-city.ts'],
    ...test,
  },
})

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
          // Modules have no state that another file could see.
          isolate: false,
          include: [`${folders}/**/*.test.ts`],
          exclude: [...elsewhere, '**/*.{db,long}.test.ts', 'apps/web/**', ...mocking],
        },
      },
      { extends: true, test: { name: 'pure-mocks', include: mocking, exclude: ['**/*.{db,long}.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'db',
          // Each test creates its data, and the server's modules have no state that another file could see.
          isolate: false,
          include: [`${folders}/**/*.db.test.ts`],
          exclude: elsewhere,
          globalSetup: ['./apps/server/src/platform/database/test-database-setup.ts'],
        },
      },
      delivery('delivery', ['complete-trip', 'repeated-commands', 'reactions', 'races']),
      delivery('delivery-long', ['**/*']),
      web({
        name: 'web',
        // A window takes a second to create.
        isolate: false,
        include: ['src/**/*.test.{ts,tsx}'],
        exclude: ['**/*.long.test.ts', ...webMocking],
        setupFiles: ['./test-setup.ts'],
      }),
      web({ name: 'web-mocks', include: webMocking }),
      {
        extends: true,
        test: {
          name: 'long',
          // One file at a time, since long tests take measurements.
          maxWorkers: 1,
          include: ['{packages,apps,scripts,bench,e2e}/**/*.long.test.ts'],
          exclude: elsewhere,
          testTimeout: 900_000,
          hookTimeout: 300_000,
          globalSetup: ['./apps/server/src/platform/database/test-database-setup.ts'],
        },
      },
      journeys({ name: 'e2e', include: ['e2e/**/*.spec.ts'], exclude: [...elsewhere, overflow] }),
      journeys({ name: 'overflow', include: [overflow] }),
      journeys({ name: 'overflow-delivery', include: [overflow], provide: { category: 'delivery' } }),
      journeys({
        name: 'delivery-e2e',
        include: ['e2e/**/*.spec.ts'],
        exclude: [...elsewhere, overflow, ...ofDeliveries.map((name) => `e2e/${name}.spec.ts`)],
        provide: { category: 'delivery' },
      }),
    ],
  },
})
