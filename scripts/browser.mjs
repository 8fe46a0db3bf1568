import { existsSync } from 'node:fs'
import { canInstall, install } from './debian.mjs'
import { run, SetupError } from './run.mjs'

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
// Libraries that the packaged Chromium needs and a bare Debian lacks; apt adds their dependencies.
const libraries = ['libnss3', 'libexpat1']

/** Ensures that a Chromium can run: an installed one, or the packaged one with its libraries. */
export async function ensureBrowser() {
  if (process.env.CHROMIUM_PATH !== undefined) {
    if (existsSync(process.env.CHROMIUM_PATH)) return
    throw new SetupError(`CHROMIUM_PATH is ${process.env.CHROMIUM_PATH}, but that file does not exist.`)
  }
  if (installed.some((path) => existsSync(path))) return
  const { default: packaged } = await import('@sparticuz/chromium')
  const path = await packaged.executablePath()
  if ((await missingLibraries(path)).length === 0) return
  if (!canInstall()) {
    throw new SetupError(
      'The browser tests need Chromium. Install it (on Debian: apt-get install chromium), ' +
        'or set CHROMIUM_PATH to an installed one.',
    )
  }
  await install(libraries)
  if ((await missingLibraries(path)).length > 0) await install(['chromium'])
}

async function missingLibraries(/** @type {string} */ path) {
  const { output } = await run('ldd', [path], { quiet: true })
  return output.split('\n').filter((line) => line.includes('not found'))
}
