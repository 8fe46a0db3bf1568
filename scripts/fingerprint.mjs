import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './run.mjs'

const passedOver = new Set(['node_modules', 'dist', 'dist-prerender', 'data', '.cache'])
const tests = /\.(test|spec|suite|fixture)\.tsx?$/

/**
 * One hash over the contents of files and folders; tests do not count.
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
    .filter((entry) => !passedOver.has(entry.name) && !tests.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesUnder(`${path}/${entry.name}`))
}

/** True when a result was made from these very inputs. */
export function isCurrent(/** @type {string} */ mark, /** @type {string} */ print) {
  try {
    return readFileSync(join(root, mark), 'utf8') === print
  } catch {
    return false
  }
}

/** Notes what a result was made from, once it is whole. */
export function markCurrent(/** @type {string} */ mark, /** @type {string} */ print) {
  mkdirSync(dirname(join(root, mark)), { recursive: true })
  writeFileSync(join(root, mark), print)
}
