import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The key that signs sessions: the configured one, or one made at the first start and kept, readable by
 * this user alone, under the data folder. Several servers on one database need the same AUTH_SECRET.
 */
export async function authSecret(config: {
  authSecret: string | undefined
  dataDir: string
}): Promise<string> {
  if (config.authSecret !== undefined) return config.authSecret
  const file = join(config.dataDir, 'auth-secret')
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept !== undefined) return kept.trim()
  await mkdir(config.dataDir, { recursive: true })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
  // A link appears whole or not at all, and never replaces the one that is there.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return (await readFile(file, 'utf8')).trim()
}
