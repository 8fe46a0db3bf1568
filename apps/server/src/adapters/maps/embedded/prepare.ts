import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadBaseMap } from './load.ts'
import { writePack } from './pack.ts'
import { buildHouseNumbers } from './search/house-numbers.ts'
import { buildIntersections } from './search/intersections.ts'
import { Localities } from './search/localities.ts'
import { placeEntries } from './search/place-entries.ts'
import { streetEntries } from './search/street-entries.ts'
import { buildWordIndex } from './search/word-index.ts'
import { readQaTiles } from './source/qa-tiles.ts'
import { buildHierarchy } from './streets/hierarchy.ts'
import { buildNetwork } from './streets/network.ts'
import { buildSegmentIndex, Roadside, segmentEdges } from './streets/snap.ts'
import { baseMap } from './tiles/base-map.ts'
import { lowZoomTiles } from './tiles/build-tile.ts'
import { toColumns } from './tiles/feature-columns.ts'

/**
 * Reads the packaged map data and writes the files for serving into `folder`: streets, names, base map. Calls `onStep`
 * before each step. Writes to a temporary folder and renames it, so an interrupted start leaves no partial files; if
 * two servers prepare at the same time, the first one to finish wins.
 */
export function prepare(folder: string, onStep: (step: string) => void): void {
  const work = `${folder}.${process.pid}.making`
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  onStep('reading')
  const source = readQaTiles()
  const features = [...source.features()]

  onStep('streets')
  const network = buildNetwork(source.roads)

  onStep('names and house numbers')
  const localities = new Localities(features)
  const streets = streetEntries(features, localities)
  const entries = [
    ...streets.entries,
    ...placeEntries(features, localities, new Roadside(network), streets.entries),
  ]
  const numbers = buildHouseNumbers(features, streets.find, streets.entries.length, (x, y) =>
    localities.numberAt(x, y),
  )
  const crossings = buildIntersections(features, streets.find)
  const index = buildWordIndex(entries.map(({ label, alsoKnownAs }) => ({ text: label, alsoKnownAs })))
  const { index: numberIndex, ...numberColumns } = numbers
  writePack(join(work, 'numbers.bin'), { ...numberColumns, index: new Uint8Array(numberIndex.data) })
  writePack(join(work, 'names.bin'), {
    wordStart: index.start,
    wordNames: index.names,
    nameWeight: index.nameWeight,
    crossingOne: crossings.one,
    crossingOther: crossings.other,
    crossingX: crossings.x,
    crossingY: crossings.y,
  })
  writeFileSync(
    join(work, 'names.json'),
    JSON.stringify({ entries, vocabulary: index.vocabulary, localities: localities.all }),
  )

  onStep('base map and tiles')
  const map = toColumns(baseMap(features, entries, source.bounds))
  writePack(join(work, 'base-map.bin'), map.pack)
  writeFileSync(join(work, 'base-map.json'), JSON.stringify(map.attributeSets))

  writePack(join(work, 'wide-tiles.bin'), lowZoomTiles(loadBaseMap(work), numbers, source.bounds))

  onStep('routes')
  const { nodeCount, edgeName, ...columns } = network
  const edgeStreet = Int32Array.from(edgeName, (name, edge) => {
    const vertex = network.vertexStart[edge] as number
    return streets.find(name, network.vertexX[vertex] as number, network.vertexY[vertex] as number) ?? -1
  })
  writePack(join(work, 'streets.bin'), {
    nodeCount: Uint32Array.of(nodeCount),
    ...columns,
    ...buildHierarchy(network),
    edgeStreet,
    segmentEdges: segmentEdges(network),
    segmentIndex: new Uint8Array(buildSegmentIndex(network).data),
  })

  onStep('done')
  try {
    renameSync(work, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(work, { recursive: true, force: true })
  }
}
