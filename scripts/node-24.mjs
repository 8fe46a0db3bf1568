import { mkdirSync, writeFileSync } from 'node:fs'
import { npm, root, run, SetupError } from './run.mjs'

const major = 24
const folder = `${root}/node_modules/.cache/hansom/node-${major}`

/** Returns the path of a Node.js 24 binary: this process's, or the newest from npm's package `node`. */
export async function ensureNode24() {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath
  const binary = `${folder}/node_modules/node/bin/node`
  if (await isMajor(binary)) return binary
  console.log(`Fetching Node.js ${major} ...`)
  mkdirSync(folder, { recursive: true })
  // The package's install script downloads the binary for this machine, also from npm.
  const manifest = { private: true, allowScripts: { node: true } }
  writeFileSync(`${folder}/package.json`, JSON.stringify(manifest))
  const { output } = await npm(['install', '--prefix', folder, '--no-audit', '--no-fund', `node@${major}`], {
    cwd: folder,
    quiet: true,
  })
  if (await isMajor(binary)) return binary
  throw new SetupError(`Failed to fetch Node.js ${major} from npm:\n${output}`)
}

async function isMajor(/** @type {string} */ binary) {
  const { code, output } = await run(binary, ['--version'], { quiet: true })
  return code === 0 && output.startsWith(`v${major}.`)
}
