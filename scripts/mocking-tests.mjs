import { readdirSync, readFileSync } from 'node:fs'
import { root } from './run.mjs'

/**
 * Returns the test files below a folder that mock modules. They run in separate workers, so that mocks do not leak.
 * @param {string} folder from the project's root, like the results
 */
export function mockingTests(folder) {
  return readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.test\.tsx?$/.test(file) && !file.includes('/node_modules/'))
    .filter((file) => readFileSync(`${root}/${file}`, 'utf8').includes('vi.mock('))
}
