import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PbfWriter } from 'pbf'
import { afterAll, expect, it } from 'vitest'
import { toLatLng } from '../world.ts'
import type { SourceFeature } from './map-source.ts'
import { ExtractError, type OsmElement } from './pbf-blocks.ts'
import { readPbf } from './read-pbf.ts'
import { pbfBlob, writePbf } from './write-pbf.fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'hansom-pbf-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
function read(bytes: Uint8Array) {
  const path = join(folder, `${++files}.osm.pbf`)
  writeFileSync(path, bytes)
  return readPbf(path, () => {})
}

/** Nodes 1 to 9 in a grid of three columns, about 70 m apart; further elements may use them. */
const grid: OsmElement[] = Array.from({ length: 9 }, (_, at) => ({
  type: 'node' as const,
  id: at + 1,
  lat: 47.14 - Math.floor(at / 3) * 0.001,
  lon: 9.52 + (at % 3) * 0.001,
}))
const way = (id: number, refs: number[], tags: Record<string, string>): OsmElement => ({
  type: 'way',
  id,
  refs,
  tags,
})
const street = way(10, [1, 2, 3], { highway: 'residential', name: 'Herrengasse', source: 'survey' })
const named = (features: Iterable<SourceFeature>, id: string) =>
  [...features].find((feature) => feature.id === id)

it('readPbf: street -> its nodes, tags without sources, positions to a centimeter', () => {
  const { roads, features, bounds } = read(writePbf([...grid, street]))
  const [road] = [...roads.ways()]
  expect(road).toMatchObject({ id: 10, tags: { highway: 'residential', name: 'Herrengasse' } })
  expect(road?.tags.source).toBeUndefined()
  const [first] = road?.nodes ?? []
  const { lat, lng } = toLatLng(roads.x[first as number] as number, roads.y[first as number] as number)
  expect(lat).toBeCloseTo(47.14, 6)
  expect(lng).toBeCloseTo(9.52, 6)
  expect(named(features(), 'w10')).toMatchObject({ shape: 'line' })
  expect(bounds.west).toBeLessThan(bounds.east)
})

it('readPbf: way with missing nodes -> split there; way entirely outside -> left out', () => {
  const { roads } = read(
    writePbf([
      ...grid,
      way(11, [1, 2, 99, 3, 6], { highway: 'service' }),
      way(12, [97, 98], { highway: 'service' }),
    ]),
  )
  expect([...roads.ways()].map(({ id, nodes }) => [id, nodes.length])).toEqual([
    [11, 2],
    [11, 2],
  ])
})

it('readPbf: nodes in any order, repeated nodes in a way -> same street', () => {
  const { roads } = read(writePbf([...grid.toReversed(), way(13, [1, 1, 2, 2, 3], { highway: 'service' })]))
  const [road] = [...roads.ways()]
  expect(road?.nodes.map((node) => Math.round(toLatLng(roads.x[node] as number, 0).lng * 1000))).toEqual([
    9520, 9521, 9522,
  ])
})

it('readPbf: closed ways -> areas by their tags', () => {
  const square = [1, 2, 5, 4, 1]
  const { features } = read(
    writePbf([
      ...grid,
      street,
      way(20, square, { building: 'yes' }),
      way(21, square, { highway: 'residential' }),
      way(22, square, { highway: 'pedestrian', area: 'yes' }),
      way(23, square, { natural: 'coastline' }),
      way(24, square, { leisure: 'track' }),
    ]),
  )
  const shapes = Object.fromEntries([...features()].map(({ id, shape }) => [id, shape]))
  expect(shapes).toMatchObject({ w20: 'area', w21: 'line', w22: 'area', w23: 'line', w24: 'line' })
})

it('readPbf: multipolygon of open ways -> outline with its hole, wound oppositely', () => {
  const lake: OsmElement = {
    type: 'relation',
    id: 30,
    tags: { type: 'multipolygon', natural: 'water', name: 'See' },
    members: [
      { type: 'way', ref: 31, role: 'outer' },
      { type: 'way', ref: 32, role: 'outer' },
      { type: 'way', ref: 33, role: 'inner' },
      { type: 'way', ref: 99, role: 'outer' },
    ],
  }
  const inner: OsmElement[] = [
    [47.1395, 9.5205],
    [47.1395, 9.5215],
    [47.1385, 9.5215],
  ].map(([lat, lon], at) => ({ type: 'node', id: 40 + at, lat: lat as number, lon: lon as number }))
  const { features } = read(
    writePbf([
      ...grid,
      ...inner,
      street,
      way(31, [1, 3, 9], {}),
      way(32, [1, 7, 9], {}),
      way(33, [40, 41, 42, 40], {}),
      lake,
    ]),
  )
  const found = named(features(), 'r30')
  expect(found?.shape).toBe('area')
  expect(found?.rings.map((ring) => ring.length / 2)).toEqual([5, 4])
})

it('readPbf: restrictions -> node or ways between; those with missing members left out', () => {
  const restriction = (id: number, via: { type: 'node' | 'way'; ref: number }): OsmElement => ({
    type: 'relation',
    id,
    tags: { type: 'restriction', restriction: 'no_left_turn' },
    members: [
      { type: 'way', ref: 10, role: 'from' },
      { ...via, role: 'via' },
      { type: 'way', ref: 11, role: 'to' },
    ],
  })
  const { roads } = read(
    writePbf([
      ...grid,
      street,
      restriction(1, { type: 'node', ref: 3 }),
      restriction(2, { type: 'way', ref: 12 }),
      restriction(3, { type: 'node', ref: 999 }),
    ]),
  )
  expect(roads.restrictions.map(({ viaNodes, viaWays }) => [viaNodes.length, viaWays])).toEqual([
    [1, []],
    [0, [12]],
  ])
})

const whole = writePbf([...grid, street])
const header = (write: (pbf: PbfWriter) => void) => {
  const pbf = new PbfWriter()
  write(pbf)
  return pbf.finish()
}
const blob = (field: number, bytes: Uint8Array) => header((pbf) => pbf.writeBytesField(field, bytes))
const start = whole.subarray(0, 4 + whole.readUInt32BE() + 40)

it.each([
  ['empty file', Buffer.alloc(0), 'empty'],
  ['text', Buffer.from('<?xml version="1.0"?><osm></osm>'.repeat(9)), 'not an OpenStreetMap extract'],
  ['zeros', Buffer.alloc(500), 'not an OpenStreetMap extract'],
  ['cut in the middle', whole.subarray(0, whole.length - 20), 'truncated'],
  ['cut in the first block', start.subarray(0, 12), 'truncated'],
  ['data before the header', pbfBlob('OSMData', Buffer.alloc(4)), 'not an OpenStreetMap extract'],
  [
    'damaged data',
    Buffer.concat([writePbf([]), pbfBlob('OSMData', Buffer.from('garbage, not a block'))]),
    'broken',
  ],
  [
    'random bytes instead of zlib',
    Buffer.concat([writePbf([]), pbfBlob('OSMData', new Uint8Array(), blob(3, Buffer.alloc(99, 7)))]),
    'cannot be unpacked',
  ],
  [
    'decompression bomb',
    Buffer.concat([writePbf([]), pbfBlob('OSMData', Buffer.alloc(40 * 2 ** 20))]),
    'more than 32 MB',
  ],
  [
    'many small bombs',
    Buffer.concat([
      writePbf([]),
      ...Array.from({ length: 3 }, () => pbfBlob('Other', Buffer.alloc(30 * 2 ** 20))),
    ]),
    'unreasonable size',
  ],
  [
    'Zstandard',
    Buffer.concat([writePbf([]), pbfBlob('OSMData', new Uint8Array(), blob(7, Buffer.alloc(9)))]),
    'Zstandard',
  ],
  [
    'huge block size',
    Buffer.concat([writePbf([]), Buffer.from([0x7f, 0xff, 0xff, 0xff, 1, 2, 3])]),
    'invalid size',
  ],
  [
    'history file',
    pbfBlob(
      'OSMHeader',
      header((pbf) => pbf.writeStringField(4, 'HistoricalInformation')),
    ),
    'HistoricalInformation',
  ],
  ['no streets', writePbf(grid), 'no streets'],
])('readPbf: %s -> a clear error', (_, bytes, message) => {
  expect(() => read(bytes)).toThrow(ExtractError)
  expect(() => read(bytes)).toThrow(message)
})

it('readPbf: missing file or folder -> a clear error', () => {
  expect(() => readPbf(join(folder, 'missing.osm.pbf'), () => {})).toThrow('does not exist')
  expect(() => readPbf(folder, () => {})).toThrow('not a file')
})
