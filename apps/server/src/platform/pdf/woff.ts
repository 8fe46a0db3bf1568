import { inflateSync } from 'node:zlib'

/**
 * Unpacks a WOFF file (W3C WOFF 1.0, sections 3 to 5) to the OpenType file inside. The PDF library would inflate the
 * table of outlines again for each character, which takes seconds with a Chinese font. Throws for other files.
 */
export function unpackWoff(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file')
  const count = file.readUInt16BE(12)
  const header = Buffer.alloc(12 + 16 * count)
  file.copy(header, 0, 4, 8)
  header.writeUInt16BE(count, 4)
  // Hints for a binary search (OpenType, table directory).
  const power = Math.floor(Math.log2(count))
  header.writeUInt16BE(2 ** power * 16, 6)
  header.writeUInt16BE(power, 8)
  header.writeUInt16BE((count - 2 ** power) * 16, 10)
  const parts: Uint8Array[] = [header]
  let offset = header.length
  for (let index = 0; index < count; index++) {
    const row = 44 + 20 * index
    const [from, packed, length] = [4, 8, 12].map((at) => file.readUInt32BE(row + at)) as [
      number,
      number,
      number,
    ]
    const stored = file.subarray(from, from + packed)
    const table = packed < length ? inflateSync(stored, { maxOutputLength: length }) : stored
    const entry = 12 + 16 * index
    file.copy(header, entry, row, row + 4)
    file.copy(header, entry + 4, row + 16, row + 20)
    header.writeUInt32BE(offset, entry + 8)
    header.writeUInt32BE(length, entry + 12)
    const padding = Buffer.alloc(-length & 3)
    parts.push(table, padding)
    offset += length + padding.length
  }
  return Buffer.concat(parts)
}
