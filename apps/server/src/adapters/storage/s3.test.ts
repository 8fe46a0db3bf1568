import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storageSuite, tinyWebp } from './port.suite.ts'
import { storedPath } from './port.ts'
import { type S3Options, s3Storage } from './s3.ts'
import { createSignedLinks } from './signed-links.ts'
import { startObjectStore, type TestObjectStore } from './test-object-store.ts'

const account = {
  key: 'AKIDEXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'sa-east-1',
}
const links = createSignedLinks({ secret: 'a secret long enough for tests', now: Date.now })

let store: TestObjectStore
const open: { close(): void }[] = []
beforeAll(async () => {
  store = await startObjectStore(account)
})
afterAll(async () => {
  for (const one of open) one.close()
  await store.close()
})

function make(changes: Partial<S3Options> = {}) {
  const storage = s3Storage({ bucket: 'ride-files', endpoint: store.url, ...account, links, ...changes })
  open.push(storage)
  return storage
}

storageSuite('s3', async () => make())

const path = storedPath.profileImage(randomUUID())

test('put -> stored under its path and type with signed requests', async () => {
  await make().put(path, await tinyWebp(), 'image/webp')
  expect(store.objects.get(`/ride-files/${path}`)).toEqual({
    bytes: Buffer.from(await tinyWebp()),
    contentType: 'image/webp',
  })
  expect(store.refusals()).toBe(0)
})

test('wrong secret -> StorageError without the secret', async () => {
  const storage = make({ secret: 'hunter2hunter2' })
  const failure = await storage.get(path).then(
    () => null,
    (error: unknown) => error,
  )
  expect(failure).toMatchObject({
    name: 'StorageError',
    message: 'the object storage returned SignatureDoesNotMatch 403',
  })
  expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('hunter2')
  await expect(storage.put(path, await tinyWebp(1), 'image/webp')).rejects.toThrow('403')
  expect(store.objects.get(`/ride-files/${path}`)?.bytes).toEqual(Buffer.from(await tinyWebp()))
})

test('temporary failure -> retried; permanent failure -> StorageError', async () => {
  const storage = make({ tries: 3 })
  store.fail(503, 2)
  expect(await storage.get(path)).not.toBeNull()
  store.fail(500, 3)
  await expect(storage.get(path)).rejects.toMatchObject({ name: 'StorageError' })
  expect(await storage.get(path)).not.toBeNull()
})

test('store does not respond -> StorageError after the timeout', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((ready) => void silent.listen(0, '127.0.0.1', ready))
  const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  await expect(make({ endpoint, requestMs: 50, tries: 1 }).get(path)).rejects.toMatchObject({
    name: 'StorageError',
    message: expect.stringContaining('TimeoutError'),
  })
  silent.closeAllConnections()
  silent.close()
})
