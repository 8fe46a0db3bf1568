import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './run.mjs'

const skipped = new Set(['node_modules', 'dist', 'dist-prerender', 'data', '.cache'])
const tests = /\.(test|spec|suite|fixture)\.tsx?$/

/**
 * Hashes the contents of files and folders, without tests.
 * @param {string[]} paths from the root
 */
export function fingerprint(paths) {
  const hash = createHash('sha256').update(process.version)
  for (const path of paths)
    for (const file of filesUnder(path)) hash.update(`\n${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/** @param {string} path @returns {string[]} */
export function filesUnder(path) {
  if (!existsSync(join(root, path))) return []
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => !skipped.has(entry.name) && !tests.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesUnder(`${path}/${entry.name}`))
}

/** True when a build result was made from exactly these inputs. */
export function isCurrent(/** @type {string} */ mark, /** @type {string} */ print) {
  try {
    return readFileSync(join(root, mark), 'utf8') === print
  } catch {
    return false
  }
}

/** Records the inputs of a completed build result. */
export function markCurrent(/** @type {string} */ mark, /** @type {string} */ print) {
  mkdirSync(dirname(join(root, mark)), { recursive: true })
  writeFileSync(join(root, mark), print)
}
