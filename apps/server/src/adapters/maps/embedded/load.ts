import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Flatbush from 'flatbush'
import { column, type Pack, readPack } from './pack.ts'
import { Directory } from './search/directory.ts'
import { type HouseNumbers, houseNumbersFrom } from './search/house-numbers.ts'
import { intersectionsFrom } from './search/intersections.ts'
import { NameTable } from './search/name-table.ts'
import { TextBlock } from './search/text-block.ts'
import { wordIndexFrom } from './search/word-index.ts'
import { words } from './search/words.ts'
import { Streets } from './streets/route.ts'
import { type Attributes, type FeatureColumns, fromPack } from './tiles/feature-columns.ts'

/** Reads the prepared streets. Throws if a column is missing. */
export function loadStreets(folder: string): Streets {
  const pack = readPack(join(folder, 'streets.bin'))
  const u32 = (name: string) => column(pack, name, 'Uint32Array')
  const i32 = (name: string) => column(pack, name, 'Int32Array')
  return new Streets({
    network: {
      edgeFrom: u32('edgeFrom'),
      edgeTo: u32('edgeTo'),
      forwardMs: u32('forwardMs'),
      backwardMs: u32('backwardMs'),
      edgeDm: u32('edgeDm'),
      edgeKinds: column(pack, 'edgeKinds', 'Uint8Array'),
      vertexStart: u32('vertexStart'),
      vertexX: u32('vertexX'),
      vertexY: u32('vertexY'),
    },
    turns: {
      exitStep: u32('exitStep'),
      exitState: u32('exitState'),
      entryStep: u32('entryStep'),
      entryState: u32('entryState'),
      stateNode: u32('stateNode'),
      nodeState: u32('nodeState'),
    },
    hierarchy: {
      upStart: u32('upStart'),
      upHead: u32('upHead'),
      upCost: column(pack, 'upCost', 'Float64Array'),
      upVia: i32('upVia'),
      downStart: u32('downStart'),
      downHead: u32('downHead'),
      downCost: column(pack, 'downCost', 'Float64Array'),
      downVia: i32('downVia'),
    },
    index: { boxes: flatbush(pack, 'streetIndex'), itemVertex: u32('itemVertex') },
    edgeStreet: i32('edgeStreet'),
  })
}

/** Reads the prepared house numbers. Throws if a column is missing. */
export function loadHouseNumbers(folder: string): HouseNumbers {
  return houseNumbersFrom(readPack(join(folder, 'numbers.bin')))
}

/** Reads the prepared low-zoom tiles, compressed, by "z/x/y". */
export function loadLowZoomTiles(folder: string): Record<string, Uint8Array> {
  const pack = readPack(join(folder, 'wide-tiles.bin'))
  return Object.fromEntries(Object.keys(pack).map((key) => [key, column(pack, key, 'Uint8Array')]))
}

/** Reads the prepared names. Throws if a column is missing. */
export function loadDirectory(folder: string, numbers: HouseNumbers): Directory {
  const pack = readPack(join(folder, 'names.bin'))
  return new Directory({
    names: new NameTable(pack),
    index: wordIndexFrom(pack),
    numbers,
    crossings: intersectionsFrom(pack),
    localities: {
      texts: new TextBlock(pack, 'localities').all(),
      words: new TextBlock(pack, 'localityWords').all().map(words),
    },
    countryCode: new TextBlock(pack, 'country').at(0),
  })
}

/** Reads the prepared base map. Throws if a column is missing. */
export function loadBaseMap(folder: string): FeatureColumns {
  const pack = readPack(join(folder, 'base-map.bin'))
  return fromPack(pack, readJson<Attributes[]>(join(folder, 'base-map.json')), flatbush(pack, 'index'))
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T
}

/** A spatial index from its serialized form. */
function flatbush(pack: Pack, name: string): Flatbush {
  const data = column(pack, name, 'Uint8Array')
  return Flatbush.from(data.buffer, data.byteOffset)
}
