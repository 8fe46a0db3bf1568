import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { authSecret } from './auth-secret.ts'
import { InvalidSecretError } from './stored-once.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hansom-secret-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('authSecret: concurrent first starts -> one key, readable only by its user', async () => {
  const dataDir = join(folder, 'data')
  const [first, again] = await Promise.all([
    authSecret({ authSecret: undefined, dataDir }),
    authSecret({ authSecret: undefined, dataDir }),
  ])
  expect(first.length).toBeGreaterThanOrEqual(43)
  expect(again).toBe(first)
  expect((await stat(join(dataDir, 'auth-secret'))).mode & 0o777).toBe(0o600)
})

test('authSecret: configured -> used', async () => {
  expect(await authSecret({ authSecret: 'configured', dataDir: folder })).toBe('configured')
})

test.each(['', '\n', 'cut short'])('authSecret: stored key %j -> InvalidSecretError', async (text) => {
  await writeFile(join(folder, 'auth-secret'), text)
  await expect(authSecret({ authSecret: undefined, dataDir: folder })).rejects.toThrow(InvalidSecretError)
})
