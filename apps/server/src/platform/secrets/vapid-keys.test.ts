import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { InvalidSecretError } from './stored-once.ts'
import { vapidKeys } from './vapid-keys.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hansom-vapid-'))
})
afterEach(() => rm(dataDir, { recursive: true }))
const keys = () => vapidKeys({ vapidKeys: null, dataDir })

test('vapidKeys: concurrent first starts -> one pair, readable only by its user, and kept', async () => {
  const [first, second] = await Promise.all([keys(), keys()])
  expect(second).toEqual(first)
  expect(Buffer.from(first.publicKey, 'base64url')).toHaveLength(65)
  expect(Buffer.from(first.privateKey, 'base64url')).toHaveLength(32)
  expect(await keys()).toEqual(first)
  expect((await stat(join(dataDir, 'vapid-keys.json'))).mode & 0o777).toBe(0o600)
})

test('vapidKeys: configured -> used; not a pair -> InvalidSecretError', async () => {
  const [own, other] = [await keys(), { ...(await keys()) }]
  await rm(join(dataDir, 'vapid-keys.json'))
  const { privateKey } = await keys()
  expect(await vapidKeys({ vapidKeys: own, dataDir })).toEqual(own)
  await expect(vapidKeys({ vapidKeys: { ...other, privateKey }, dataDir })).rejects.toThrow(
    InvalidSecretError,
  )
})

test.each(['', '{}', 'null', '{"publicKey":"a","privateKey":"b"}', 'truncated'])(
  'vapidKeys: stored %j -> InvalidSecretError',
  async (text) => {
    const file = join(dataDir, 'vapid-keys.json')
    await writeFile(file, text)
    await expect(keys()).rejects.toThrow(InvalidSecretError)
    expect(await readFile(file, 'utf8')).toBe(text)
  },
)
