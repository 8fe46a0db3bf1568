import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describeRegion } from './describe-region.ts'
import { loadBaseMap } from './load.ts'
import { writePack } from './pack.ts'
import type { PrepareProgress, PrepareTask } from './prepare-region.ts'
import { formatVersion, type RegionFile } from './region-store.ts'
import { buildSearch } from './search/build-search.ts'
import { houseNumbersFrom } from './search/house-numbers.ts'
import { packagedRegion, readQaTiles, sourceFingerprint } from './source/qa-tiles.ts'
import { readPbf } from './source/read-pbf.ts'
import { buildNetwork, numberByRank } from './streets/build-network.ts'
import { buildHierarchy } from './streets/hierarchy.ts'
import { Roadside } from './streets/snap.ts'
import { baseMap } from './tiles/base-map.ts'
import { lowZoomTiles } from './tiles/build-tile.ts'
import { toColumns } from './tiles/feature-columns.ts'

/** The stages and the share of all the work at which each begins, measured on extracts of 1 to 100 MB. */
const stages = {
  reading: 0,
  streets: 0.25,
  names: 0.35,
  'base map': 0.55,
  routes: 0.75,
  writing: 0.99,
} as const

/** Reads an extract, or the packaged map data, and writes the region's files for serving. Throws ExtractError. */
export async function prepare(
  { id, extract, folder }: PrepareTask,
  onProgress: (progress: PrepareProgress) => void,
): Promise<void> {
  const begin = (stage: keyof typeof stages) => onProgress({ stage, share: stages[stage] })
  mkdirSync(folder, { recursive: true })
  begin('reading')
  const source =
    extract === null
      ? readQaTiles()
      : readPbf(extract, (share) => onProgress({ stage: 'reading', share: share * stages.streets }))
  const region = extract === null ? packagedRegion.region : describeRegion(id, source)

  begin('streets')
  const network = buildNetwork(source.roads)

  begin('names')
  const roadside = new Roadside(network)
  const names = buildSearch(source.features(), roadside, region)
  writePack(join(folder, 'numbers.bin'), names.numbers)
  writePack(join(folder, 'names.bin'), names.names)
  const numbers = houseNumbersFrom(names.numbers)

  begin('base map')
  const map = toColumns(baseMap(source, names.entries))
  writePack(join(folder, 'base-map.bin'), map.pack)
  writeFileSync(join(folder, 'base-map.json'), JSON.stringify(map.attributeSets))
  writePack(join(folder, 'wide-tiles.bin'), lowZoomTiles(loadBaseMap(folder), numbers, source.bounds))

  begin('routes')
  const edgeStreet = Int32Array.from(network.edgeName, (name, edge) => {
    const vertex = network.vertexStart[edge] as number
    return names.find(name, network.vertexX[vertex] as number, network.vertexY[vertex] as number) ?? -1
  })
  const { hierarchy, rankOf } = buildHierarchy(network.graph, (share) =>
    onProgress({ stage: 'routes', share: stages.routes + share * (stages.writing - stages.routes) }),
  )
  const ranked = numberByRank(network, rankOf)
  const { boxes, itemVertex } = roadside.index
  writePack(join(folder, 'streets.bin'), {
    ...ranked.network,
    ...ranked.turns,
    ...hierarchy,
    edgeStreet,
    streetIndex: new Uint8Array(boxes.data),
    itemVertex,
  })

  begin('writing')
  const streetCount = names.entries.filter(({ kind }) => kind === 'street').length
  const file: RegionFile = {
    format: formatVersion,
    version: `${id}-${formatVersion}-${extract === null ? sourceFingerprint() : Date.now().toString(36)}`,
    extract: extract === null ? null : basename(extract),
    region,
    bounds: source.bounds,
    counts: {
      streets: streetCount,
      houseNumbers: numbers.number.length,
      places: names.entries.length - streetCount,
      edges: network.edgeFrom.length,
    },
  }
  writeFileSync(join(folder, 'region.json'), JSON.stringify(file, null, 2))
}
