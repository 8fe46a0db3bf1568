import sharp, { type Sharp } from 'sharp'

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
