import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The shared password of all simulated people: random, created at the demo's first start and stored in the data folder,
 * readable by this user only. The simulator gets it from the server that starts it.
 */
export async function simulatorPassword(dataDir: string): Promise<{ password: string; isNew: boolean }> {
  const file = join(dataDir, 'simulator-password')
  const stored = (await readFile(file, 'utf8').catch(noSuchFile)).trim()
  if (stored !== '') return { password: stored, isNew: false }
  const password = randomBytes(24).toString('base64url')
  await mkdir(dataDir, { recursive: true })
  await writeFile(file, password, { mode: 0o600 })
  return { password, isNew: true }
}

function noSuchFile(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return ''
  throw error
}
