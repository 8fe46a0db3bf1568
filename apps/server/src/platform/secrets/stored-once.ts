import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Returns the content of a secret file, readable only by this user. A missing file is created with the text of `make`;
 * of concurrent first starts, all get the same content.
 */
export async function storedOnce(file: string, make: () => string): Promise<string> {
  const stored = await readFile(file, 'utf8').catch(() => undefined)
  if (stored !== undefined) return stored
  await mkdir(dirname(file), { recursive: true })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  // Flushed before it gets its name: a power failure must not leave an empty file.
  await writeFile(draft, make(), { flag: 'wx', mode: 0o600, flush: true })
  // A link appears complete or not at all, and never replaces an existing file.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return readFile(file, 'utf8')
}

/** A stored secret is invalid; `message` is printed as is. */
export class InvalidSecretError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InvalidSecretError'
  }
}
