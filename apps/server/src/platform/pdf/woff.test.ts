import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { unpackWoff } from './woff.ts'

const file = readFileSync(
  createRequire(import.meta.url).resolve('@fontsource/vazirmatn/files/vazirmatn-arabic-400-normal.woff'),
)

/** Sum of big-endian words, as OpenType defines checksums. */
const sumOf = (table: Buffer) => {
  let sum = 0
  for (let at = 0; at < table.length; at += 4) sum = (sum + table.readUInt32BE(at)) >>> 0
  return sum
}

test('font: every table has its checksum, and the size is that of the header', () => {
  const font = unpackWoff(file)
  expect(font.length).toBe(file.readUInt32BE(16))
  const count = font.readUInt16BE(4)
  expect(count).toBeGreaterThan(8)
  for (let entry = 12; entry < 12 + 16 * count; entry += 16) {
    const [offset, length] = [font.readUInt32BE(entry + 8), font.readUInt32BE(entry + 12)]
    const table = Buffer.concat([font.subarray(offset, offset + length), Buffer.alloc(-length & 3)])
    // The head table contains the sum of the complete file, which its own checksum leaves out.
    if (font.toString('latin1', entry, entry + 4) === 'head') table.writeUInt32BE(0, 8)
    expect(sumOf(table)).toBe(font.readUInt32BE(entry + 4))
  }
})

test('other files -> an error', () => {
  expect(() => unpackWoff(Buffer.from('%PDF-1.7'))).toThrow('not a WOFF file')
})
