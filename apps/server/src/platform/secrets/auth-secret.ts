import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const shortest = 32

/**
 * The key that signs sessions: the configured one, or one made at the first start and kept, readable by
 * this user alone, under the data folder. Several servers on one database need the same AUTH_SECRET.
 * Throws BrokenSecretError for a kept one that is no key.
 */
export async function authSecret(config: {
  authSecret: string | undefined
  dataDir: string
}): Promise<string> {
  if (config.authSecret !== undefined) return config.authSecret
  const file = join(config.dataDir, 'auth-secret')
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept !== undefined) return whole(kept, file)
  await mkdir(config.dataDir, { recursive: true })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  // On the disk before it has its name: a power failure must not leave an empty key.
  await writeFile(draft, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true })
  // A link appears whole or not at all, and never replaces the one that is there.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return whole(await readFile(file, 'utf8'), file)
}

/** Anybody could sign with a key that is empty, or guess one that was cut short. */
function whole(kept: string, file: string): string {
  const secret = kept.trim()
  if (secret.length < shortest) throw new BrokenSecretError(file)
  return secret
}

/** `message` is made to be printed as it is. */
export class BrokenSecretError extends Error {
  constructor(file: string) {
    super(
      `The key in ${file} is broken: it has fewer than ${shortest} characters.\n` +
        'Bring it back from a backup, or remove the file: everybody signs in anew then.',
    )
    this.name = 'BrokenSecretError'
  }
}
