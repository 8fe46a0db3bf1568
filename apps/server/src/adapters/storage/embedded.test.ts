import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { embeddedStorage } from './embedded.ts'
import { storageSuite, tinyWebp } from './port.suite.ts'
import { storedPath } from './port.ts'
import { createSignedLinks } from './signed-links.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hansom-files-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

const links = createSignedLinks({ secret: 'a secret long enough for tests', now: Date.now })
const make = () => embeddedStorage({ dataDir, links })
storageSuite('embedded', make)

test('put -> plain file, readable only by the server, no temporary files', async () => {
  const storage = await make()
  const uid = randomUUID()
  await storage.put(storedPath.profileImage(uid), await tinyWebp(), 'image/webp')
  const folder = join(dataDir, 'files', 'users', uid)
  expect(await readdir(folder)).toEqual(['profileImage'])
  expect(await readFile(join(folder, 'profileImage'))).toEqual(Buffer.from(await tinyWebp()))
  expect((await stat(join(folder, 'profileImage'))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect(await readdir(join(dataDir, 'files', '.incoming'))).toEqual([])
})

test('put: target cannot be written -> old file stays, no partial files', async () => {
  const storage = await make()
  const uid = randomUUID()
  // A file where a folder is required.
  await storage.put(storedPath.profileImage(uid), await tinyWebp(), 'image/webp')
  await writeFile(join(dataDir, 'files', 'users', uid, 'driverDocuments'), 'in the way')
  const document = storedPath.driverDocument(uid, 1)
  await expect(storage.put(document, await tinyWebp(), 'image/webp')).rejects.toMatchObject({
    name: 'StorageError',
  })
  expect(await storage.get(document)).toBeNull()
  expect(await readdir(join(dataDir, 'files', '.incoming'))).toEqual([])
})

test('start: partial files of a killed server -> removed; files in progress -> kept', async () => {
  const incoming = join(dataDir, 'files', '.incoming')
  await make()
  await writeFile(join(incoming, 'old'), 'half')
  await utimes(join(incoming, 'old'), new Date(0), new Date(0))
  await writeFile(join(incoming, 'young'), 'half')
  await make()
  expect(await readdir(incoming)).toEqual(['young'])
  await rm(join(incoming, 'young'))
})

test('get: file copied manually -> served only if it is an image', async () => {
  const storage = await make()
  const path = storedPath.profileImage(randomUUID())
  await storage.put(path, await tinyWebp(), 'image/webp')
  await chmod(join(dataDir, 'files', path), 0o600)
  await writeFile(join(dataDir, 'files', path), '<html><script>alert(1)</script>')
  expect(await storage.get(path)).toBeNull()
})
