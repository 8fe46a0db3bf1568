import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePack } from './pack.ts'
import { buildCrossings } from './search/crossings.ts'
import { buildHouseNumbers } from './search/house-numbers.ts'
import { Localities } from './search/localities.ts'
import { placeEntries } from './search/place-entries.ts'
import { streetEntries } from './search/street-entries.ts'
import { buildWordIndex } from './search/word-index.ts'
import { readSource } from './source.ts'
import { buildHierarchy } from './streets/hierarchy.ts'
import { buildNetwork } from './streets/network.ts'
import { buildSegmentIndex, segmentEdges } from './streets/snap.ts'

/**
 * Reads the packaged map data and writes what serving needs into `folder`: `streets.bin`, `search.bin`, `search.json`.
 * Written beside and renamed, so a start that was interrupted leaves nothing half-made.
 */
export function prepare(folder: string): void {
  const work = `${folder}.${process.pid}.making`
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const features = readSource()

  const localities = new Localities(features)
  const streets = streetEntries(features, localities)
  const entries = [...streets.entries, ...placeEntries(features, localities)]
  const numbers = buildHouseNumbers(features, streets.find, streets.entries.length)
  const crossings = buildCrossings(features, streets.find)
  const index = buildWordIndex(entries.map(({ label, alsoKnownAs }) => ({ text: label, alsoKnownAs })))
  writePack(join(work, 'search.bin'), {
    wordStart: index.start,
    wordNames: index.names,
    nameWeight: index.nameWeight,
    numberStart: numbers.start,
    number: numbers.number,
    numberStreet: numbers.street,
    numberX: numbers.x,
    numberY: numbers.y,
    numberOsm: numbers.osm,
    numberByOsm: numbers.byOsm,
    numberIndex: new Uint8Array(numbers.index.data),
    crossingOne: crossings.one,
    crossingOther: crossings.other,
    crossingX: crossings.x,
    crossingY: crossings.y,
  })
  writeFileSync(join(work, 'search.json'), JSON.stringify({ entries, vocabulary: index.vocabulary }))

  const network = buildNetwork(features)
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

  rmSync(folder, { recursive: true, force: true })
  renameSync(work, folder)
}
