import { crc32, deflateSync } from 'node:zlib'
import { seededRandom } from './history-plan.ts'

/** A rectangle of a picture, in pixels, with its color. */
type Part = readonly [x: number, y: number, width: number, height: number, color: number]

const width = 960
const height = 720

const repeated = (count: number, part: (n: number) => Part): Part[] =>
  Array.from({ length: count }, (_, n) => part(n))

/** A blue gate beside a bakery, from the back to the front. */
const scene: readonly Part[] = [
  [0, 0, width, height, 0xc3d6e4],
  [0, 70, 640, 500, 0xd9b98c],
  [0, 70, 640, 14, 0xb9966a],
  [640, 110, 320, 460, 0xe8e0d2],
  // The window and the door of the bakery, below its awning.
  [676, 270, 170, 190, 0x39474f],
  [862, 250, 80, 320, 0x5a4634],
  [688, 400, 146, 48, 0xc98f4a],
  ...repeated(8, (n) => [656 + n * 38, 190, 38, 64, n % 2 === 0 ? 0xb03a34 : 0xf4efe6]),
  // A window of the house.
  [70, 190, 130, 170, 0x8a6a45],
  [80, 200, 110, 150, 0x4d626e],
  [132, 200, 6, 150, 0x8a6a45],
  // The gate.
  [270, 170, 250, 400, 0x1f4468],
  [284, 184, 222, 386, 0x2c6196],
  ...repeated(7, (n) => [298 + n * 30, 200, 12, 370, 0x4580b5]),
  [284, 360, 222, 14, 0x1f4468],
  [482, 386, 14, 40, 0xcfa94f],
  // The pavement and the street.
  [0, 570, width, 70, 0xaaa69d],
  ...repeated(12, (n) => [n * 84, 570, 3, 70, 0x918d85]),
  [0, 640, width, 12, 0x7c7973],
  [0, 652, width, 68, 0x55575a],
]

/** Draws the photo that a rider of the demo sends, as a PNG. */
export function drawChatPhoto(): Buffer {
  const chance = seededRandom(58)
  const rows = Buffer.alloc(height * (1 + width * 3))
  let at = 0
  for (let y = 0; y < height; y += 1) {
    const parts = scene.filter(([, top, , tall]) => top <= y && y < top + tall)
    // Each row begins with the number of its filter: none.
    at += 1
    for (let x = 0; x < width; x += 1) {
      const color = parts.findLast(([left, , wide]) => left <= x && x < left + wide)?.[4] ?? 0
      // Darker towards the corners and the ground, with grain.
      const light = 1.05 - 0.3 * ((x / width - 0.5) ** 2 + (y / height - 0.4) ** 2) - 0.06 * (y / height)
      const grain = (chance() - 0.5) * 10
      for (let shift = 16; shift >= 0; shift -= 8) {
        rows[at] = Math.max(0, Math.min(255, ((color >> shift) & 255) * light + grain))
        at += 1
      }
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = deflateSync(rows, { level: 1 })
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  size.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([size, named, sum])
}
