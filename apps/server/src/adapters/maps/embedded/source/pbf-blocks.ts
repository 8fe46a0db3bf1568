import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { parse } from 'osm-pbf-parser-node'
import { PbfReader } from 'pbf'
import type { Tags } from './map-source.ts'

/** An extract that cannot be imported; `message` can be printed as is. */
export class ExtractError extends Error {
  override name = 'ExtractError'
}

export interface OsmMember {
  type: 'node' | 'way' | 'relation'
  ref: number
  role: string
}

/** An element of the extract; positions in degrees. */
export type OsmElement =
  | { type: 'node'; id: number; lat: number; lon: number; tags?: Tags }
  | { type: 'way'; id: number; refs: number[]; tags?: Tags }
  | { type: 'relation'; id: number; members: OsmMember[]; tags?: Tags }

/** [west, south, east, north] in degrees. */
type Bounds = [number, number, number, number]

export interface PbfReading {
  /** The bounds that the file's header states, if any. */
  onBounds(bounds: Bounds): void
  onElements(elements: OsmElement[]): void
  /** Share of the file read, 0 to 1. */
  onProgress(share: number): void
}

// Limits of the format, see https://wiki.openstreetmap.org/wiki/PBF_Format
const mostHeaderBytes = 64 * 1024
const mostBlobBytes = 32 * 2 ** 20
/** Real extracts unpack to two to four times their size; far more is a decompression bomb. */
const mostUnpackedShare = 40

const features = new Set(['OsmSchema-V0.6', 'DenseNodes'])
const compressions: Record<number, string> = { 4: 'LZMA', 5: 'bzip2', 6: 'LZ4', 7: 'Zstandard' }

/**
 * Reads an `.osm.pbf` file block by block, so that memory is bounded by the largest block. Throws ExtractError for a
 * file that is empty, truncated, broken, compressed in an unsupported way, or that unpacks to an unreasonable size.
 */
export function readPbfBlocks(path: string, { onBounds, onElements, onProgress }: PbfReading): void {
  const file = open(path)
  try {
    const { size } = fstatSync(file)
    if (size === 0) throw new ExtractError('The file is empty.')
    let at = 0
    let unpacked = 0
    let isFirst = true
    const take = (length: number): Buffer => {
      const bytes = Buffer.allocUnsafe(length)
      if (readSync(file, bytes, 0, length, at) < length)
        throw new ExtractError('The file is truncated: it ends within a block. Download it again.')
      at += length
      return bytes
    }
    while (at < size) {
      const { type, dataSize } = blobHeader(take, isFirst)
      const bytes = unpack(take(dataSize))
      unpacked += bytes.length
      if (unpacked > mostUnpackedShare * size + mostBlobBytes)
        throw new ExtractError('The file unpacks to an unreasonable size.')
      if (type === 'OSMHeader') {
        const bounds = checkHeader(bytes)
        if (bounds) onBounds(bounds)
      } else if (type === 'OSMData') onElements(elements(bytes, at))
      isFirst = false
      onProgress(at / size)
    }
  } finally {
    closeSync(file)
  }
}

function open(path: string): number {
  try {
    const file = openSync(path, 'r')
    if (fstatSync(file).isFile()) return file
    closeSync(file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new ExtractError(
      code === 'ENOENT' ? 'The file does not exist.' : `The file cannot be read: ${message}`,
    )
  }
  throw new ExtractError('This is not a file.')
}

function blobHeader(take: (length: number) => Buffer, isFirst: boolean): { type: string; dataSize: number } {
  const length = take(4).readUInt32BE()
  const header = { type: '', dataSize: -1 }
  if (length <= mostHeaderBytes) {
    readMessage(take(length), (field, pbf) => {
      if (field === 1) header.type = pbf.readString()
      else if (field === 3) header.dataSize = pbf.readVarint()
    })
  }
  if (isFirst && header.type !== 'OSMHeader')
    throw new ExtractError('This is not an OpenStreetMap extract in PBF format (.osm.pbf).')
  if (header.type === '' || header.dataSize < 0 || header.dataSize > mostBlobBytes + mostHeaderBytes)
    throw new ExtractError('The file is broken: a block has an invalid size.')
  return header
}

function unpack(blob: Buffer): Uint8Array {
  let raw: Uint8Array | null = null
  let zlib: Uint8Array | null = null
  let other = 0
  readMessage(blob, (field, pbf) => {
    if (field === 1) raw = pbf.readBytes()
    else if (field === 3) zlib = pbf.readBytes()
    else if (field > 3) other = field
  })
  if (raw) return raw
  if (!zlib) {
    const compression = compressions[other]
    throw new ExtractError(
      compression
        ? `The file is compressed with ${compression}, which is not supported; convert it to zlib, for example with "osmium cat".`
        : 'The file is broken: a block has no data.',
    )
  }
  try {
    return inflateSync(zlib, { maxOutputLength: mostBlobBytes })
  } catch (error) {
    throw new ExtractError(
      (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
        ? 'The file is broken: a block unpacks to more than 32 MB.'
        : 'The file is broken: a block cannot be unpacked. Download it again.',
    )
  }
}

function checkHeader(bytes: Uint8Array): Bounds | null {
  const box: Record<number, number> = {}
  const unknown: string[] = []
  readMessage(bytes, (field, pbf) => {
    if (field === 4) {
      const feature = pbf.readString()
      if (!features.has(feature)) unknown.push(feature)
    } else if (field === 1) {
      readMessage(pbf.readBytes(), (side, inner) => {
        box[side] = inner.readSVarint() / 1e9
      })
    }
  })
  if (unknown.length > 0)
    throw new ExtractError(`The file needs an unsupported feature: ${unknown.join(', ')}.`)
  const [west, east, north, south] = [box[1], box[2], box[3], box[4]]
  if (west === undefined || east === undefined || north === undefined || south === undefined) return null
  return west < east && south < north ? [west, south, east, north] : null
}

function elements(bytes: Uint8Array, at: number): OsmElement[] {
  try {
    return parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {}) as OsmElement[]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ExtractError(`The file is broken before byte ${at}: ${reason}`)
  }
}

function readMessage(bytes: Uint8Array, read: (field: number, pbf: PbfReader) => void): void {
  try {
    new PbfReader(bytes).readFields((field, _, pbf) => read(field, pbf), null)
  } catch (error) {
    if (error instanceof ExtractError) throw error
    throw new ExtractError('The file is broken: a block cannot be read. Download it again.')
  }
}
