import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { createImages } from './images.ts'
import { gradient } from './port.suite.ts'

const images = createImages()
const refused = (reason: string) => ({ name: 'ImageRefused', reason })

describe('prepare: re-encodes', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('image in %s -> WebP', async (format) => {
    const sent = await (await gradient(400, 300)).toFormat(format).toBuffer()
    const image = await images.prepare(sent)
    expect(image).toMatchObject({ contentType: 'image/webp', width: 400, height: 300 })
    const { data, info } = await sharp(image.bytes).raw().toBuffer({ resolveWithObject: true })
    const brightness = (x: number) => data[(150 * info.width + x) * info.channels] ?? 0
    expect([brightness(20), brightness(200), brightness(380)].map((value) => Math.round(value / 60))).toEqual(
      [0, 2, 4],
    )
  })

  test('large image -> scaled down; small image -> not enlarged', async () => {
    const sent = await (await gradient(3_000, 1_000)).jpeg().toBuffer()
    expect(await images.prepare(sent)).toMatchObject({ width: 1_600, height: 533 })
    expect(await images.prepare(sent, 300)).toMatchObject({ width: 300, height: 100 })
    const narrow = await (await gradient(20_000, 2)).png().toBuffer()
    expect(await images.prepare(narrow, 300)).toMatchObject({ width: 300, height: 1 })
  })

  test('rotated image with metadata -> upright, metadata removed', async () => {
    const sent = await (await gradient(400, 300))
      .withMetadata({ orientation: 6 })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Home of Ana</x:xmpmeta>')
      .withExifMerge({
        IFD0: { Make: 'Camera of Ana' },
        IFD3: { GPSLatitude: '34/1 54/1 0/1', GPSLatitudeRef: 'S' },
      })
      .jpeg()
      .toBuffer()
    expect(sent.includes('Camera of Ana')).toBe(true)
    const image = await images.prepare(sent)
    expect(image).toMatchObject({ width: 300, height: 400 })
    const { exif, xmp, iptc, icc, orientation } = await sharp(image.bytes).metadata()
    expect({ exif, xmp, iptc, icc, orientation }).toEqual({})
    expect(Buffer.from(image.bytes).includes('Ana')).toBe(false)
  })

  test('trailing data -> removed', async () => {
    const sent = await (await gradient(40, 30)).png().toBuffer()
    const image = await images.prepare(Buffer.concat([sent, Buffer.from('<?php system($_GET[0]); ?>')]))
    expect(Buffer.from(image.bytes).includes('php')).toBe(false)
  })
})

describe('prepare: refuses', () => {
  test.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['PDF', Buffer.from('%PDF-1.7\n')],
    ['nothing', Buffer.alloc(0)],
    ['two bytes', Buffer.from([0xff, 0xd8])],
  ])('%s', async (_what, sent) => {
    await expect(images.prepare(sent)).rejects.toMatchObject(refused('format'))
  })

  test.each(['gif', 'tiff', 'avif'] as const)('%s -> format', async (format) => {
    const sent = await (await gradient(16, 16)).toFormat(format).toBuffer()
    await expect(images.prepare(sent)).rejects.toMatchObject(refused('format'))
  })

  test('animation -> animated', async () => {
    const frames = await Promise.all(
      [16, 16].map(async (side) => (await gradient(side, side)).png().toBuffer()),
    )
    frames[1] = await sharp(frames[1]).negate().png().toBuffer()
    const sent = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer()
    await expect(images.prepare(sent)).rejects.toMatchObject(refused('animated'))
  })

  test('more than 10 MB -> too_large', async () => {
    const sent = await (await gradient(8, 8)).png().toBuffer()
    const long = Buffer.concat([sent, Buffer.alloc(10 * 1024 * 1024)])
    await expect(images.prepare(long)).rejects.toMatchObject(refused('too_large'))
  })

  test('few bytes that declare more than 50 million pixels -> too_many_pixels', async () => {
    const create = { width: 10_000, height: 5_001, channels: 3, background: 'white' } as const
    const sent = await sharp({ create }).png({ compressionLevel: 9 }).toBuffer()
    expect(sent.length).toBeLessThan(1_000_000)
    await expect(images.prepare(sent)).rejects.toMatchObject(refused('too_many_pixels'))
    const claim = Buffer.from(await (await gradient(8, 8)).png().toBuffer())
    claim.writeUInt32BE(2_000_000_000, 16)
    await expect(images.prepare(claim)).rejects.toMatchObject({ name: 'ImageRefused' })
  })

  test.each([0.5, 0.9])('truncated to %d of its length -> damaged', async (part) => {
    const sent = await (await gradient(300, 300)).jpeg().toBuffer()
    await expect(images.prepare(sent.subarray(0, sent.length * part))).rejects.toMatchObject(
      refused('damaged'),
    )
  })

  test('noise with an image header -> damaged', async () => {
    for (const begin of ['\xff\xd8\xff\xe0', '\x89PNG\r\n\x1a\n', 'RIFF\x10\0\0\0WEBP']) {
      const noise = Buffer.from(Array.from({ length: 2_000 }, (_, at) => (at * 7_919) % 251))
      const sent = Buffer.concat([Buffer.from(begin, 'latin1'), noise])
      await expect(images.prepare(sent)).rejects.toMatchObject(refused('damaged'))
    }
  })

  test('more concurrent images than slots -> busy, works again afterwards', async () => {
    const sent = await (await gradient(600, 600)).png().toBuffer()
    const results = await Promise.allSettled(Array.from({ length: 40 }, () => images.prepare(sent)))
    const busy = results.filter((one) => one.status === 'rejected' && one.reason.reason === 'busy')
    expect(busy).toHaveLength(40 - 18)
    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(18)
    await expect(images.prepare(sent)).resolves.toMatchObject({ width: 600 })
  })
})
