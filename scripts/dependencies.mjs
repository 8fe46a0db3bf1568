import { readFileSync } from 'node:fs'
import { npm, root, SetupError } from './run.mjs'

const oldestNode = [20, 19]

/** Stops with what to do when this Node.js is too old. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return
  throw new SetupError(
    `Node.js ${oldestNode.join('.')} or newer is needed, this is ${process.versions.node}.`,
  )
}

/** Installs what package-lock.json asks for, unless it is all there. */
export async function ensureDependencies() {
  checkNode()
  if (missingPackages().length === 0) return
  console.log('Installing the dependencies, which takes about a minute ...')
  // Without NODE_ENV: in production npm would leave out what the build needs.
  const env = { ...process.env, NODE_ENV: '' }
  const { code } = await npm(['ci', '--include=dev', '--no-audit', '--no-fund'], { env })
  if (code === 127) {
    throw new SetupError('npm was not found. It comes with Node.js: install it, then start again.')
  }
  const missing = missingPackages()
  if (code === 0 && missing.length === 0) return
  throw new SetupError(
    `The dependencies could not be installed${missing.length > 0 ? ` (missing: ${missing.slice(0, 5).join(', ')})` : ''}. ` +
      'What npm said is above; the package registry must be reachable.',
  )
}

/**
 * Packages that are not installed as the lock file says. npm keeps a copy of what it installed, written
 * last, so an install that broke off has none.
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
