import { existsSync, readFileSync } from 'node:fs'
import { run, SetupError } from './run.mjs'

/** True on a Debian whose packages this user may install. */
export function canInstall() {
  const system = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : ''
  return process.getuid?.() === 0 && /debian/i.test(system)
}

/** Installs Debian packages. Throws SetupError when that fails. */
export async function install(/** @type {string[]} */ packages) {
  console.log(`Installing ${packages.join(', ')} for the tests ...`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-qq'], { env })
  const { code } = await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    env,
  })
  if (code !== 0)
    throw new SetupError(`apt-get failed to install ${packages.join(', ')}; see its output above.`)
}

/** Ensures that the test behind PgBouncer finds one. Returns a sentence if it is left out, or null. */
export async function ensurePgBouncer() {
  const isThere = async () => {
    for (const program of ['pgbouncer', '/usr/sbin/pgbouncer'])
      if ((await run(program, ['--version'], { quiet: true })).code === 0) return true
    return false
  }
  if (await isThere()) return null
  if (canInstall()) await install(['pgbouncer']).catch(() => {})
  return (await isThere()) ? null : 'Left out: the test behind a pooler (pooler), for there is no pgbouncer.'
}

/**
 * Ensures that the tests of several servers find a Redis: the one of REDIS_URL, an installed redis-server or valkey-server, or
 * one that can be installed. Returns a sentence about the tests that are left out, or null.
 */
export async function ensureRedis() {
  const isThere = async () => {
    if (process.env.REDIS_URL !== undefined) return true
    for (const program of ['redis-server', 'valkey-server'])
      if ((await run(program, ['--version'], { quiet: true })).code === 0) return true
    return false
  }
  if (await isThere()) return null
  if (canInstall()) await install(['redis-server']).catch(() => {})
  if (await isThere()) return null
  return 'Left out: the tests of several servers (several-servers, server-bus), for there is neither redis-server nor REDIS_URL.'
}
