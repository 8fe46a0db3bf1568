import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

const kinds = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array }
type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array
export type Pack = Record<string, Column>

/**
 * Writes named number columns to one file: a JSON header with each column's offset, then the columns in their in-memory
 * layout, aligned to eight bytes, so that reading needs one `read` and no parsing.
 */
export function writePack(path: string, pack: Pack): void {
  const names = Object.keys(pack)
  let offset = 0
  const index = names.map((name) => {
    const column = pack[name] as Column
    const entry = { name, kind: column.constructor.name, offset, length: column.length }
    offset += Math.ceil(column.byteLength / 8) * 8
    return entry
  })
  const head = Buffer.from(JSON.stringify(index))
  const start = Math.ceil((8 + head.length) / 8) * 8
  const first = Buffer.alloc(start)
  first.writeUInt32LE(start, 0)
  first.writeUInt32LE(head.length, 4)
  head.copy(first, 8)
  const file = openSync(path, 'w')
  try {
    writeAll(file, first)
    // Column by column: a copy of everything would double the memory of an import.
    for (const name of names) {
      const { buffer, byteOffset, byteLength } = pack[name] as Column
      writeAll(file, new Uint8Array(buffer, byteOffset, byteLength))
      writeAll(file, new Uint8Array(-byteLength & 7))
    }
  } finally {
    closeSync(file)
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

/** Reads a file written by `writePack`. The columns are views of one buffer. */
export function readPack(path: string): Pack {
  const raw = readFileSync(path)
  const buffer = raw.byteOffset % 8 === 0 ? raw : Buffer.from(new Uint8Array(raw).buffer)
  const start = buffer.readUInt32LE(0)
  const index = JSON.parse(buffer.toString('utf8', 8, 8 + buffer.readUInt32LE(4))) as {
    name: string
    kind: keyof typeof kinds
    offset: number
    length: number
  }[]
  const pack: Pack = {}
  for (const { name, kind, offset, length } of index) {
    pack[name] = new kinds[kind](buffer.buffer as ArrayBuffer, buffer.byteOffset + start + offset, length)
  }
  return pack
}

/** One column by name and type. Throws if it is missing: the file is from another version. */
export function column<K extends keyof typeof kinds>(
  pack: Pack,
  name: string,
  kind: K,
): InstanceType<(typeof kinds)[K]> {
  const found = pack[name]
  if (!(found instanceof kinds[kind])) throw new Error(`The prepared map has no column ${name} of ${kind}`)
  return found as InstanceType<(typeof kinds)[K]>
}
