import type { SourceFeature, Tags } from '../source/map-source.ts'
import { toLatLng } from '../world.ts'
import { buildSearch } from './build-search.ts'
import { Directory } from './directory.ts'
import { unitsIn } from './entry.ts'
import { houseNumbersFrom } from './house-numbers.ts'
import { intersectionsFrom } from './intersections.ts'
import { NameTable } from './name-table.ts'
import { TextBlock } from './text-block.ts'
import { wordIndexFrom } from './word-index.ts'
import { words } from './words.ts'

const home = 2_000_000_000
const metre = Math.round(unitsIn(1, home))

/** A position some meters east and south of the fixture's origin, in world units. */
const position = (east: number, south: number) => [home + east * metre, home + south * metre]

let last = 0
const feature = (
  kind: string,
  shape: SourceFeature['shape'],
  tags: Tags,
  corners: number[][],
): SourceFeature => ({
  id: `${kind}${++last}`,
  shape,
  tags,
  rings: [corners.flatMap(([east = 0, south = 0]) => position(east, south))],
})

export const point = (east: number, south: number, tags: Tags) => feature('n', 'point', tags, [[east, south]])
export const line = (tags: Tags, ...corners: number[][]) => feature('w', 'line', tags, corners)
export const street = (name: string, ...corners: number[][]) =>
  line(
    { highway: 'residential', name },
    ...(corners.length > 0
      ? corners
      : [
          [0, 0],
          [100, 0],
        ]),
  )

/** A square area, from one corner to the opposite one. */
export const square = (from: number, to: number, tags: Tags, kind = 'w') =>
  feature(kind, 'area', tags, [
    [from, from],
    [to, from],
    [to, to],
    [from, to],
    [from, from],
  ])

export const place = (east: number, south: number) => {
  const [x = 0, y = 0] = position(east, south)
  return toLatLng(x, y)
}

/** The directory of some features, without a road network. */
export function directoryOf(features: SourceFeature[], countryCode = 'DE', language = 'de'): Directory {
  const roadside = { stopNear: () => null, nameNear: () => null }
  const files = buildSearch(features, roadside, { countryCode, languages: [language] })
  return new Directory({
    names: new NameTable(files.names),
    index: wordIndexFrom(files.names),
    numbers: houseNumbersFrom(files.numbers),
    crossings: intersectionsFrom(files.names),
    localities: {
      texts: new TextBlock(files.names, 'localities').all(),
      words: new TextBlock(files.names, 'localityWords').all().map(words),
    },
    countryCode,
  })
}
