import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const shortest = 32

/**
 * Returns the key that signs sessions: the configured one, or one generated at the first start and stored under the
 * data folder, readable only by this user. Several servers on one database need the same AUTH_SECRET. Throws
 * InvalidSecretError when the stored key is invalid.
 */
export async function authSecret(config: {
  authSecret: string | undefined
  dataDir: string
}): Promise<string> {
  if (config.authSecret !== undefined) return config.authSecret
  const file = join(config.dataDir, 'auth-secret')
  const stored = await readFile(file, 'utf8').catch(() => undefined)
  if (stored !== undefined) return checkedSecret(stored, file)
  await mkdir(config.dataDir, { recursive: true })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  // Flushed before it gets its name: a power failure must not leave an empty key.
  await writeFile(draft, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true })
  // A link appears complete or not at all, and never replaces an existing file.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return checkedSecret(await readFile(file, 'utf8'), file)
}

/** Rejects an empty or truncated key, which could be guessed. */
function checkedSecret(stored: string, file: string): string {
  const secret = stored.trim()
  if (secret.length < shortest) throw new InvalidSecretError(file)
  return secret
}

/** The stored key is invalid; `message` is printed as is. */
export class InvalidSecretError extends Error {
  constructor(file: string) {
    super(
      `The key in ${file} is invalid: it has fewer than ${shortest} characters.\n` +
        'Restore it from a backup, or remove the file; all users then have to sign in again.',
    )
    this.name = 'InvalidSecretError'
  }
}
