import { randomUUID } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { type Storage, type StoredPath, storedPath } from './port.ts'

/** Contract tests for every storage adapter. */
export function storageSuite(name: string, make: () => Promise<Storage>): void {
  describe(`storage: ${name}`, () => {
    test('put, get, remove: every kind of path -> stored until removed', async () => {
      const storage = await make()
      const uid = randomUUID()
      const paths = [
        storedPath.profileImage(uid),
        storedPath.driverDocument(uid, 1_700_000_000_000),
        storedPath.bookingImage(uid, 'pickup_image', null),
        storedPath.bookingImage(uid, 'pickup_image', randomUUID()),
      ]
      for (const [shade, path] of paths.entries()) {
        expect(await storage.get(path)).toBeNull()
        await storage.put(path, await tinyWebp(shade * 50), 'image/webp')
      }
      for (const [shade, path] of paths.entries()) {
        const file = await storage.get(path)
        expect(file?.contentType).toBe('image/webp')
        expect(Buffer.from(file?.bytes ?? [])).toEqual(Buffer.from(await tinyWebp(shade * 50)))
        await storage.remove(path)
        expect(await storage.get(path)).toBeNull()
        await storage.remove(path)
      }
    })

    test('put: same path again or concurrently -> one complete file', async () => {
      const storage = await make()
      const path = storedPath.profileImage(randomUUID())
      const pictures = await Promise.all([10, 60, 120, 200].map((shade) => tinyWebp(shade)))
      await Promise.all(pictures.map((picture) => storage.put(path, picture, 'image/webp')))
      const left = Buffer.from((await storage.get(path))?.bytes ?? [])
      expect(pictures.map((picture) => Buffer.from(picture).equals(left))).toContain(true)
    })

    test('archive: part -> stored, replaced when repeated; invalid name -> RangeError', async () => {
      const storage = await make()
      const name = 'archive/audit_log/audit_log_2026_11/00001.jsonl.gz'
      for (const text of ['one', 'two']) await storage.archive(name, Buffer.from(text))
      for (const wrong of [
        'archive/../auth-secret',
        `users/${randomUUID()}/profileImage`,
        'archive/x/y/1.jsonl',
      ]) {
        await expect(storage.archive(wrong, Buffer.from('no'))).rejects.toThrow(RangeError)
      }
    })

    test("removeUser -> only that user's files", async () => {
      const storage = await make()
      const [uid, other] = [randomUUID(), randomUUID()]
      const own = [storedPath.profileImage(uid), ...[1, 2, 3].map((at) => storedPath.driverDocument(uid, at))]
      const others = storedPath.profileImage(other)
      for (const path of [...own, others]) await storage.put(path, await tinyWebp(), 'image/webp')
      await storage.removeUser(uid)
      expect(await Promise.all(own.map((path) => storage.get(path)))).toEqual([null, null, null, null])
      expect(await storage.get(others)).not.toBeNull()
      await storage.removeUser(uid)
      await expect(storage.removeUser('..')).rejects.toThrow(RangeError)
    })

    test("removeBooking -> only that booking's files", async () => {
      const storage = await make()
      const [id, other] = [randomUUID(), randomUUID()]
      const own = [
        storedPath.bookingImage(id, 'deliver_image', null),
        storedPath.bookingImage(id, 'deliver_image', randomUUID()),
        storedPath.stopImage(id, 2, 'signature', randomUUID()),
      ]
      const others = storedPath.stopImage(other, 2, 'signature', null)
      for (const path of [...own, others]) await storage.put(path, await tinyWebp(), 'image/webp')
      await storage.removeBooking(id)
      expect(await Promise.all(own.map((path) => storage.get(path)))).toEqual([null, null, null])
      expect(await storage.get(others)).not.toBeNull()
      await storage.removeBooking(id)
      await expect(storage.removeBooking('..')).rejects.toThrow(RangeError)
    })

    test("removeChats -> only the photos of that booking's conversations", async () => {
      const storage = await make()
      const [id, other] = [randomUUID(), randomUUID()]
      const own = [storedPath.chatPhoto(id, randomUUID()), storedPath.chatPhoto(id, randomUUID())]
      const others = [
        storedPath.chatPhoto(other, randomUUID()),
        storedPath.bookingImage(id, 'pickup_image', null),
      ]
      for (const path of [...own, ...others]) await storage.put(path, await tinyWebp(), 'image/webp')
      await storage.removeChats(id)
      expect(await Promise.all(own.map((path) => storage.get(path)))).toEqual([null, null])
      for (const path of others) expect(await storage.get(path)).not.toBeNull()
      await expect(storage.removeChats('..')).rejects.toThrow(RangeError)
    })

    test.each([
      '../auth-secret',
      'users/../../etc/passwd',
      '/etc/passwd',
      `users/${randomUUID()}/profileImage/..`,
      '',
    ])('path %j -> RangeError', async (text) => {
      const storage = await make()
      const path = text as StoredPath
      await expect(storage.put(path, await tinyWebp(), 'image/webp')).rejects.toThrow(RangeError)
      await expect(storage.get(path)).rejects.toThrow(RangeError)
      await expect(storage.remove(path)).rejects.toThrow(RangeError)
    })

    test('put: bytes of another type -> RangeError', async () => {
      const storage = await make()
      const path = storedPath.profileImage(randomUUID())
      const page = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
      await expect(storage.put(path, page, 'image/webp')).rejects.toThrow(RangeError)
      await expect(storage.put(path, await tinyWebp(), 'image/jpeg')).rejects.toThrow(RangeError)
      expect(await storage.get(path)).toBeNull()
    })

    test('signedUrl -> opens its file', async () => {
      const storage = await make()
      const path = storedPath.driverDocument(randomUUID(), 1_700_000_000_000)
      expect(storage.openSigned(storage.signedUrl(path, 300))).toBe(path)
    })
  })
}

/** A horizontal gradient from dark to bright, to detect rotation. */
export async function gradient(width: number, height: number): Promise<Sharp> {
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < pixels.length; at += 3) pixels.fill(((at / 3) % width) * (255 / width), at, at + 3)
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

/** The smallest valid image. */
export async function tinyWebp(shade = 128): Promise<Uint8Array> {
  const create = { width: 1, height: 1, channels: 3, background: { r: shade, g: shade, b: shade } } as const
  return sharp({ create }).webp({ lossless: true }).toBuffer()
}
