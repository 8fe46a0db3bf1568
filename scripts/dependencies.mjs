import { readFileSync } from 'node:fs'
import { npm, root, SetupError } from './run.mjs'

const oldestNode = [20, 19]

/** Throws SetupError when this Node.js is too old. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return
  throw new SetupError(
    `Node.js ${oldestNode.join('.')} or newer is required; this is ${process.versions.node}.`,
  )
}

/** Installs the packages of package-lock.json unless all are present. */
export async function ensureDependencies() {
  checkNode()
  if (missingPackages().length === 0) return
  console.log('Installing dependencies (about a minute) ...')
  // Without NODE_ENV: in production npm would skip the build's dependencies.
  const env = { ...process.env, NODE_ENV: '' }
  const { code } = await npm(['ci', '--include=dev', '--no-audit', '--no-fund'], { env })
  if (code === 127) {
    throw new SetupError('npm not found. It comes with Node.js: install that and try again.')
  }
  const missing = missingPackages()
  if (code === 0 && missing.length === 0) return
  throw new SetupError(
    `Failed to install the dependencies${missing.length > 0 ? ` (missing: ${missing.slice(0, 5).join(', ')})` : ''}. ` +
      'See the output of npm above; the package registry must be reachable.',
  )
}

/**
 * Lists packages that are not installed as in the lock file. npm writes its copy of the lock file last, so an
 * interrupted install has none.
 */
export function missingPackages() {
  const wanted = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')).packages
  const installed = readInstalled()
  return Object.entries(wanted)
    .filter(
      ([path, entry]) =>
        path.includes('node_modules/') && !entry.link && !entry.optional && !entry.devOptional,
    )
    .filter(([path, entry]) => installed[path]?.version !== entry.version)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
}

function readInstalled() {
  try {
    return JSON.parse(readFileSync(`${root}/node_modules/.package-lock.json`, 'utf8')).packages
  } catch {
    return {}
  }
}
