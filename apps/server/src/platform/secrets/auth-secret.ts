import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { InvalidSecretError, storedOnce } from './stored-once.ts'

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
  return checkedSecret(await storedOnce(file, () => randomBytes(32).toString('base64url')), file)
}

/** Rejects an empty or truncated key, which could be guessed. */
function checkedSecret(stored: string, file: string): string {
  const secret = stored.trim()
  if (secret.length < shortest) {
    throw new InvalidSecretError(
      `The key in ${file} is invalid: it has fewer than ${shortest} characters.\n` +
        'Restore it from a backup, or remove the file; all users then have to sign in again.',
    )
  }
  return secret
}
