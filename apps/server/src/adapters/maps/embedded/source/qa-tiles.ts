import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import type { Region } from '../../port.ts'
import type { MapSource, RoadWay, SourceFeature, Tags } from './map-source.ts'
import { qaCoast } from './qa-shore.ts'

/** The part of Montevideo and its surroundings that the packaged tiles cover. */
export const packagedRegion: { id: string; region: Region } = {
  id: 'montevideo',
  region: {
    id: 'montevideo',
    name: 'Montevideo',
    countryCode: 'UY',
    timezone: 'America/Montevideo',
    currency: 'UYU',
    languages: ['es'],
    center: { lat: -34.9011, lng: -56.1645 },
    bounds: [-56.3379, -34.958, -55.9863, -34.8138],
    attribution: '© OpenStreetMap contributors',
  },
}

const shapes = { 1: 'point', 2: 'line', 3: 'area' } as const
const sourceExtent = 2 ** 20

function sourceFiles(): { path: string; column: number; row: number }[] {
  const home = dirname(createRequire(import.meta.url).resolve('@mapbox/mvt-fixtures/package.json'))
  const folder = join(home, 'real-world', 'osm-qa-montevideo')
  return readdirSync(folder)
    .map((name) => ({ name, match: /^12-(\d+)-(\d+)\.mvt$/.exec(name) }))
    .filter(({ match }) => match !== null)
    .map(({ name, match }) => ({
      path: join(folder, name),
      column: Number(match?.[1]),
      row: Number(match?.[2]),
    }))
    .sort((a, b) => a.row - b.row || a.column - b.column)
}

/** Identifies the data by the versions of its packages: cheap enough for every start. */
export function sourceFingerprint(): string {
  const hash = createHash('sha256')
  const require = createRequire(import.meta.url)
  for (const name of ['@mapbox/mvt-fixtures', 'world-atlas'])
    hash.update(readFileSync(require.resolve(`${name}/package.json`)))
  return hash.digest('hex').slice(0, 12)
}

/** The packaged map data of Montevideo. Throws if the package is missing or contains no tiles. */
export function readQaTiles(): MapSource {
  const features = readFeatures()
  const bounds = sourceBounds()
  return {
    features: () => features,
    points: () => features.filter(({ shape }) => shape === 'point'),
    roads: collectRoads(features),
    coast: () => qaCoast(features, bounds),
    bounds,
  }
}

/**
 * The tiles contain no node ids: vertices at the same position are one node, including at tile borders, so that a
 * street cut at a border is reconnected. They contain no relations, so there are no turn restrictions.
 */
export function collectRoads(features: readonly SourceFeature[]): MapSource['roads'] {
  const x: number[] = []
  const y: number[] = []
  const nodeAt = new Map<string, number>()
  const node = (px: number, py: number): number => {
    const key = `${px},${py}`
    const known = nodeAt.get(key)
    if (known !== undefined) return known
    nodeAt.set(key, x.length)
    x.push(px)
    return y.push(py) - 1
  }
  const ways: RoadWay[] = []
  for (const { id, shape, tags, rings } of features) {
    if (shape !== 'line' || (!tags.highway && tags.route !== 'ferry')) continue
    for (const ring of rings) {
      const nodes: number[] = []
      for (let i = 0; i < ring.length; i += 2) nodes.push(node(ring[i] as number, ring[i + 1] as number))
      ways.push({ id: Number(id.slice(1)), tags, nodes })
    }
  }
  const barriers = new Map<number, Tags>()
  for (const { shape, tags, rings } of features) {
    if (shape !== 'point' || !tags.barrier) continue
    const at = nodeAt.get(`${rings[0]?.[0]},${rings[0]?.[1]}`)
    if (at !== undefined) barriers.set(at, tags)
  }
  return {
    ways: () => ways,
    x: Uint32Array.from(x),
    y: Uint32Array.from(y),
    barriers,
    restrictions: [],
  }
}

function readFeatures(): SourceFeature[] {
  const files = sourceFiles()
  if (files.length === 0) throw new Error('The package @mapbox/mvt-fixtures holds no tiles of Montevideo')
  const features: SourceFeature[] = []
  const pointsSeen = new Set<string>()
  for (const { path, column, row } of files) {
    const layer = new VectorTile(new PbfReader(readFileSync(path))).layers.osm
    if (!layer) throw new Error(`${path} has no layer "osm"`)
    for (let index = 0; index < layer.length; index++) {
      const feature = layer.feature(index)
      if (feature.type === 0) continue
      const { '@id': number, '@type': type, ...rest } = feature.properties
      const id = `${String(type).charAt(0)}${number}`
      if (feature.type === 1) {
        if (pointsSeen.has(id)) continue
        pointsSeen.add(id)
      }
      const tags: Tags = {}
      for (const key in rest) if (isUsed(key)) tags[key] = String(rest[key])
      const rings = feature.loadGeometry().map((ring) => {
        const flat: number[] = []
        for (const point of ring) flat.push(column * sourceExtent + point.x, row * sourceExtent + point.y)
        return flat
      })
      features.push({ id, shape: shapes[feature.type], tags, rings })
    }
  }
  return features
}

/** Drops edit metadata and the city's internal ids: half of all tags. */
function isUsed(key: string): boolean {
  return !key.startsWith('@') && !key.startsWith('mvdgis:') && !key.startsWith('source:')
}

/** The bounds of the source tiles in world units. */
function sourceBounds(): MapSource['bounds'] {
  const files = sourceFiles()
  const columns = files.map((file) => file.column)
  const rows = files.map((file) => file.row)
  return {
    west: Math.min(...columns) * sourceExtent,
    east: (Math.max(...columns) + 1) * sourceExtent,
    north: Math.min(...rows) * sourceExtent,
    south: (Math.max(...rows) + 1) * sourceExtent,
  }
}
