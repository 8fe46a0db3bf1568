import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { LatLng } from '@hansom/domain/geo/point'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmbeddedMaps } from '../embedded.ts'
import { describeMaps, tileOf } from '../port.suite.ts'
import { testMaps } from '../test-maps.fixture.ts'
import { prepareRegion } from './prepare-region.ts'
import { RegionStore, regionIdOf } from './region-store.ts'
import { sideBySide } from './side-by-side.ts'
import { mergedTile } from './tiles/merge-tiles.ts'

const extract = join(import.meta.dirname, '../../../../fixtures/vaduz.osm.pbf')
const dataDir = mkdtempSync(join(tmpdir(), 'hansom-import-'))
const store = new RegionStore(dataDir)
const log = { info: () => {} }
const names = () => (existsSync(join(dataDir, 'maps')) ? readdirSync(join(dataDir, 'maps')).sort() : [])
const importAs = (id: string, path = extract, signal?: AbortSignal) =>
  prepareRegion(store, { id, extract: path, isSeparate: false }, () => {}, signal)
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
beforeAll(() => importAs('vaduz'), 60_000)

describeMaps('imported extract', () => createEmbeddedMaps({ dataDir, log, regions: ['vaduz'] }), {
  street: {
    query: 'Fürst-Franz-Josef-Strasse',
    misspelt: 'furst franz jozef strasse',
    label: 'Fürst-Franz-Josef-Strasse',
  },
  houseNumber: { query: 'städtle 43', label: 'Städtle 43' },
  from: { lat: 47.13817, lng: 9.52273 },
  to: { lat: 47.15465, lng: 9.51049 },
  outside: { lat: 47.2, lng: 9.9 },
})

describe('imported region', () => {
  it('facts of the region -> from its data', async () => {
    const { region } = await createEmbeddedMaps({ dataDir, log, regions: ['vaduz'] })
    expect(region).toMatchObject({
      id: 'vaduz',
      name: 'Vaduz',
      countryCode: 'LI',
      timezone: 'Europe/Vaduz',
      currency: 'CHF',
      languages: ['de'],
    })
  })

  it('tile at zoom 16 -> house numbers as they are written', async () => {
    const maps = await createEmbeddedMaps({ dataDir, log, regions: ['vaduz'] })
    const [found] = await maps.search('Alvierweg 14a')
    const bytes = await maps.tile(16, ...tileOf(found as LatLng, 16))
    const { housenumber } = new VectorTile(new PbfReader(gunzipSync(bytes as Uint8Array))).layers
    const numbers = Array.from({ length: housenumber?.length ?? 0 }, (_, at) => {
      return housenumber?.feature(at).properties.number
    })
    expect(numbers).toContain('14a')
  })

  it('list, use, remove -> the store shows them', async () => {
    expect(store.list().map(({ id, file }) => [id, file?.extract])).toEqual([['vaduz', 'vaduz.osm.pbf']])
    expect(store.inUse()).toEqual([])
    store.use(['vaduz'])
    expect((await createEmbeddedMaps({ dataDir, log })).region.id).toBe('vaduz')
    rmSync(join(dataDir, 'maps', 'in-use.txt'))
  })

  it('unknown region -> an error with the command to import it', async () => {
    const opened = createEmbeddedMaps({ dataDir, log, regions: ['monaco'] })
    await expect(opened).rejects.toThrow('npm run maps:import -- monaco.osm.pbf')
  })

  it('broken extract -> clear error; the former map stays and nothing is left', async () => {
    const broken = join(dataDir, 'broken.osm.pbf')
    const bytes = readFileSync(extract)
    writeFileSync(broken, bytes.subarray(0, bytes.length / 2))
    const before = readFileSync(join(store.folder('vaduz'), 'region.json'), 'utf8')
    await expect(importAs('vaduz', broken)).rejects.toThrow('truncated')
    expect(readFileSync(join(store.folder('vaduz'), 'region.json'), 'utf8')).toBe(before)
    expect(names()).toEqual(['vaduz'])
  })

  it('interrupted import -> rejected; nothing is left', async () => {
    const stopped = new AbortController()
    const importing = importAs('other', extract, stopped.signal)
    setTimeout(() => stopped.abort(), 300)
    await expect(importing).rejects.toThrow('interrupted')
    expect(names()).toEqual(['vaduz'])
  })

  it('two imports of one region at once -> one complete region', async () => {
    await Promise.all([importAs('twice'), importAs('twice')])
    expect(names()).toEqual(['twice', 'vaduz'])
    expect((await createEmbeddedMaps({ dataDir, log, regions: ['twice'] })).region.id).toBe('twice')
    store.remove('twice')
    expect(names()).toEqual(['vaduz'])
  }, 60_000)

  it('processes that replace one region at the same moment -> one complete region, nothing left', async () => {
    const copies = `for (let n = 0; n < 60; n++) {
      const work = store.workFolder('busy')
      cpSync(store.folder('vaduz'), work, { recursive: true })
      store.replace('busy', work)
    }`
    const program = `import('tsx/esm/api').then(({ register }) => register())
      .then(() => import(${JSON.stringify(new URL('region-store.ts', import.meta.url).href)}))
      .then(({ RegionStore }) => {
        const { cpSync } = require('node:fs')
        const store = new RegionStore(${JSON.stringify(dataDir)})
        ${copies}
      })`
    const runs = [1, 2, 3].map(() => promisify(execFile)(process.execPath, ['-e', program]))
    await Promise.all(runs)
    expect(names()).toEqual(['busy', 'vaduz'])
    expect((await createEmbeddedMaps({ dataDir, log, regions: ['busy'] })).region.id).toBe('vaduz')
    store.remove('busy')
  }, 60_000)

  it('server that starts between the two renames of an import -> waits for the new map', async () => {
    const former = store.workFolder('moved').replace(/making$/, 'former')
    cpSync(store.folder('vaduz'), former, { recursive: true })
    setTimeout(() => renameSync(former, store.folder('moved')), 100)
    expect((await createEmbeddedMaps({ dataDir, log, regions: ['moved'] })).region.id).toBe('vaduz')
    store.remove('moved')
  })

  it('folders of killed processes -> removed, not those of another machine; a lone former map -> restored', () => {
    const ofKilled = (id: string) => store.workFolder(id).replace(`.${process.pid}.`, '.999999.')
    mkdirSync(ofKilled('lost'))
    mkdirSync(ofKilled('old').replace(/making$/, 'former'))
    mkdirSync(join(dataDir, 'maps', 'other.elsewhere.999999.abc1.making'))
    store.tidy()
    expect(names()).toEqual(['old', 'other.elsewhere.999999.abc1.making', 'vaduz'])
    store.remove('old')
    rmSync(join(dataDir, 'maps', 'other.elsewhere.999999.abc1.making'), { recursive: true })
  })

  it('two regions with the same places side by side -> each place once, routes stay within one', async () => {
    await importAs('south')
    const maps = await createEmbeddedMaps({ dataDir, log, regions: ['vaduz', 'south'] })
    expect(maps.region.name).toBe('Vaduz')
    const found = await maps.search('Städtle 43')
    const ids = found.map(({ id }) => id.split('~')[1])
    expect(ids.length).toBeGreaterThan(0)
    expect(new Set(ids).size).toBe(ids.length)
    for (const place of found) expect(await maps.place(place.id)).toEqual(place)
    expect(await maps.place('elsewhere~n1')).toBeNull()
    expect(await maps.route([found[0], found[0]] as never)).toMatchObject({ distanceKm: 0 })
    store.remove('south')
  }, 60_000)

  it('regions on two continents side by side -> each draws its own streets', async () => {
    const vaduz = await createEmbeddedMaps({ dataDir, log, regions: ['vaduz'] })
    const montevideo = await testMaps()
    const maps = sideBySide([vaduz, montevideo])
    for (const { region, tile } of [vaduz, montevideo]) {
      const at = [14, ...tileOf(region.center, 14)] as [number, number, number]
      expect(await maps.tile(...at)).toEqual(await tile(...at))
    }
    expect(encodeURIComponent(maps.tileVersion).length).toBeLessThan(40)
    expect(maps.region.otherCountries).toContain('UY')
  }, 120_000)

  it('tile of two overlapping regions -> the features of both, the sea of one', async () => {
    const vaduz = await createEmbeddedMaps({ dataDir, log, regions: ['vaduz'] })
    const sea = await testMaps()
    const [x, y] = tileOf({ lat: -34.91, lng: -56.2 }, 14)
    const coast = { region: sea.region, tile: () => sea.tile(14, x, y) }
    const count = (tile: Uint8Array | null) => {
      const { layers } = new VectorTile(new PbfReader(gunzipSync(tile as Uint8Array)))
      const kinds = Array.from(
        { length: layers.water?.length ?? 0 },
        (_, i) => layers.water?.feature(i).properties.kind,
      )
      return { roads: layers.road?.length ?? 0, seas: kinds.filter((kind) => kind === 'sea').length }
    }
    const one = count(await coast.tile())
    const both = count(await mergedTile([coast, coast, vaduz], 14, x, y))
    expect(one.seas).toBeGreaterThan(0)
    expect(both).toEqual({ roads: 2 * one.roads, seas: one.seas })
  }, 120_000)
})

it.each([
  ['monaco.osm.pbf', 'monaco'],
  ['/maps/Île-de-France-latest.osm.pbf', 'ile-de-france-latest'],
  ['C:\\maps\\New York.pbf', 'new-york'],
  ['Łódź.osm.pbf', 'lodz'],
  ['東京.osm.pbf', ''],
])('regionIdOf: %s -> %s', (file, id) => {
  expect(regionIdOf(file)).toBe(id)
})
