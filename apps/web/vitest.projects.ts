import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import { contractModule } from './scripts/contract-module.ts'
import { siteTextsModule } from './scripts/site-texts-module.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

const project = (test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  root,
  plugins: [react(), contractModule(), siteTextsModule()],
  test: { environment: 'happy-dom', ...test },
})

/**
 * The tests of the web. A window takes a second to make, so files share one, but for those that put something else in the
 * place of a module: `mocking`, from this folder.
 */
export const webProjects = (mocking: string[]) => [
  project({
    name: 'web',
    isolate: false,
    include: ['src/**/*.test.{ts,tsx}'],
    exclude: ['**/*.long.test.ts', ...mocking],
    setupFiles: ['./test-setup.ts'],
  }),
  project({ name: 'web-mocks', include: mocking }),
]
