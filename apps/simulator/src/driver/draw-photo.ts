import { crc32, deflateSync } from 'node:zlib'

const width = 240
const height = 180
type Color = readonly [number, number, number]
const wall: Color = [203, 206, 196]
const floor: Color = [132, 126, 118]
const cardboards: readonly Color[] = [
  [186, 140, 92],
  [170, 124, 78],
  [201, 160, 112],
]
const tape: Color = [226, 208, 170]
const label: Color = [246, 246, 242]

/** A courier's photo of a parcel as a PNG: a box on a floor, a little different each time. `luck` is from 0 to 1. */
export function drawPhoto(luck: () => number): Uint8Array {
  const cardboard = cardboards[Math.floor(luck() * cardboards.length)] as Color
  const left = 40 + Math.floor(luck() * 50)
  const top = 50 + Math.floor(luck() * 25)
  const wide = 90 + Math.floor(luck() * 50)
  const right = left + wide
  const bottom = 150
  const light = 0.85 + luck() * 0.2
  const isIn = (x: number, y: number, x1: number, y1: number, x2: number, y2: number) =>
    x >= x1 && x < x2 && y >= y1 && y < y2
  const colorAt = (x: number, y: number): Color => {
    if (isIn(x, y, right - 42, bottom - 34, right - 10, bottom - 12)) return label
    if (isIn(x, y, left + wide / 2 - 6, top, left + wide / 2 + 6, bottom)) return tape
    if (isIn(x, y, left, top, right, bottom)) return cardboard
    return y < 120 ? wall : floor
  }
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const shade = light * (0.94 + 0.06 * luck())
      colorAt(x, y).forEach((part, index) => {
        rows[y * (1 + width * 3) + 1 + x * 3 + index] = Math.min(255, Math.round(part * shade))
      })
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits for each of red, green and blue (PNG specification, 11.2.2).
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')])
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
