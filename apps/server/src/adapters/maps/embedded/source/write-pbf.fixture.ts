import { deflateSync } from 'node:zlib'
import { PbfWriter } from 'pbf'
import type { Tags } from './map-source.ts'
import type { OsmElement } from './pbf-blocks.ts'

/** Elements of one block, as real extracts have. */
const blockSize = 8_000
const kinds = ['node', 'way', 'relation'] as const

/**
 * Writes elements, ordered by type and id, as an `.osm.pbf` file (https://wiki.openstreetmap.org/wiki/PBF_Format).
 * `bounds` is [west, south, east, north] in degrees.
 */
export function writePbf(elements: readonly OsmElement[], bounds?: [number, number, number, number]): Buffer {
  const blocks = [pbfBlob('OSMHeader', headerBytes(bounds))]
  for (const kind of kinds) {
    const all = elements.filter(({ type }) => type === kind)
    for (let at = 0; at < all.length; at += blockSize) {
      blocks.push(pbfBlob('OSMData', blockBytes(all.slice(at, at + blockSize))))
    }
  }
  return Buffer.concat(blocks)
}

/** A file block with its length and header; `blob` replaces the compressed data, for broken files. */
export function pbfBlob(type: string, data: Uint8Array, blob = zlibBlob(data)): Buffer {
  const header = new PbfWriter()
  header.writeStringField(1, type)
  header.writeVarintField(3, blob.length)
  const head = header.finish()
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.length)
  return Buffer.concat([length, head, blob])
}

function zlibBlob(data: Uint8Array): Uint8Array {
  const blob = new PbfWriter()
  blob.writeVarintField(2, data.length)
  blob.writeBytesField(3, deflateSync(data))
  return blob.finish()
}

function headerBytes(bounds?: [number, number, number, number]): Uint8Array {
  const header = new PbfWriter()
  if (bounds) {
    const [west, south, east, north] = bounds.map((degrees) => Math.round(degrees * 1e9))
    header.writeMessage(
      1,
      (_, box) => {
        for (const [side, value] of [west, east, north, south].entries())
          box.writeSVarintField(side + 1, value as number)
      },
      null,
    )
  }
  header.writeStringField(4, 'OsmSchema-V0.6')
  header.writeStringField(4, 'DenseNodes')
  return header.finish()
}

function blockBytes(elements: readonly OsmElement[]): Uint8Array {
  const strings = new Map<string, number>([['', 0]])
  const text = (value: string): number => {
    const known = strings.get(value) ?? strings.size
    strings.set(value, known)
    return known
  }
  const group = new PbfWriter()
  const nodes = elements.filter((element) => element.type === 'node')
  if (nodes.length > 0) group.writeMessage(2, writeDense, { nodes, text })
  for (const element of elements) {
    if (element.type === 'way') group.writeMessage(3, writeWay, { way: element, text })
    else if (element.type === 'relation') group.writeMessage(4, writeRelation, { relation: element, text })
  }
  const block = new PbfWriter()
  block.writeMessage(
    1,
    (_, table) => {
      for (const value of strings.keys()) table.writeBytesField(1, Buffer.from(value))
    },
    null,
  )
  block.writeBytesField(2, group.finish())
  return block.finish()
}

type Text = (value: string) => number
type Kind<K> = Extract<OsmElement, { type: K }>

function writeDense({ nodes, text }: { nodes: Kind<'node'>[]; text: Text }, pbf: PbfWriter): void {
  const tags = nodes.flatMap(({ tags = {} }) => [...pairs(tags, text).flat(), 0])
  pbf.writePackedSVarint(1, differences(nodes.map(({ id }) => id)))
  pbf.writePackedSVarint(8, differences(nodes.map(({ lat }) => Math.round(lat * 1e7))))
  pbf.writePackedSVarint(9, differences(nodes.map(({ lon }) => Math.round(lon * 1e7))))
  pbf.writePackedVarint(10, tags)
}

function writeWay({ way, text }: { way: Kind<'way'>; text: Text }, pbf: PbfWriter): void {
  pbf.writeVarintField(1, way.id)
  writeTags(way.tags ?? {}, text, pbf)
  pbf.writePackedSVarint(8, differences(way.refs))
}

function writeRelation({ relation, text }: { relation: Kind<'relation'>; text: Text }, pbf: PbfWriter): void {
  const { members } = relation
  pbf.writeVarintField(1, relation.id)
  writeTags(relation.tags ?? {}, text, pbf)
  pbf.writePackedVarint(
    8,
    members.map(({ role }) => text(role)),
  )
  pbf.writePackedSVarint(9, differences(members.map(({ ref }) => ref)))
  pbf.writePackedVarint(
    10,
    members.map(({ type }) => kinds.indexOf(type)),
  )
}

function writeTags(tags: Tags, text: Text, pbf: PbfWriter): void {
  const all = pairs(tags, text)
  pbf.writePackedVarint(
    2,
    all.map(([key]) => key),
  )
  pbf.writePackedVarint(
    3,
    all.map(([, value]) => value),
  )
}

const pairs = (tags: Tags, text: Text) =>
  Object.entries(tags).map(([key, value]): [number, number] => [text(key), text(value)])

const differences = (values: number[]): number[] =>
  values.map((value, at) => value - (at === 0 ? 0 : (values[at - 1] as number)))
