import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { column, readPack, writePack } from './pack.ts'

const folder = mkdtempSync(join(tmpdir(), 'hansom-pack-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('column file', () => {
  const path = join(folder, 'a.bin')
  const columns = {
    bytes: Uint8Array.of(1, 2, 3),
    none: new Uint32Array(0),
    numbers: Float64Array.of(-0.5, 1e300),
    signed: Int32Array.of(-1, 2 ** 31 - 1),
    short: Uint16Array.of(65_535),
  }

  it('write and read -> equal columns', () => {
    writePack(path, columns)
    expect(readPack(path)).toEqual(columns)
  })

  it('unknown name or other type -> throws', () => {
    expect(column(readPack(path), 'bytes', 'Uint8Array')[2]).toBe(3)
    expect(() => column(readPack(path), 'bytes', 'Uint32Array')).toThrow(/bytes/)
    expect(() => column(readPack(path), 'other', 'Uint8Array')).toThrow(/other/)
  })

  it('truncated file -> throws', () => {
    writeFileSync(join(folder, 'b.bin'), 'short')
    expect(() => readPack(join(folder, 'b.bin'))).toThrow()
  })
})
