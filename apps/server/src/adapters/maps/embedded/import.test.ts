import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmbeddedMaps } from '../embedded.ts'
import { describeMaps } from '../port.suite.ts'
import { prepareRegion } from './prepare-region.ts'
import { RegionStore, regionIdOf } from './region-store.ts'

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

  it('folders of killed processes -> removed; a former map without its successor is restored', () => {
    mkdirSync(join(dataDir, 'maps', 'lost.999999.abc1.making'))
    mkdirSync(join(dataDir, 'maps', 'old.999999.abc1.former'))
    store.tidy()
    expect(names()).toEqual(['old', 'vaduz'])
    store.remove('old')
  })

  it('two regions side by side -> each is searched, routes stay within one', async () => {
    await importAs('south')
    const maps = await createEmbeddedMaps({ dataDir, log, regions: ['vaduz', 'south'] })
    expect(maps.region.name).toBe('Vaduz')
    const found = await maps.search('Städtle 43')
    expect(found.slice(0, 2).map(({ id }) => id.split('~')[0])).toEqual(['vaduz', 'south'])
    for (const place of found) expect(await maps.place(place.id)).toEqual(place)
    expect(await maps.place('elsewhere~n1')).toBeNull()
    expect(await maps.route([found[0], found[0]] as never)).toMatchObject({ distanceKm: 0 })
    store.remove('south')
  }, 60_000)
})

it.each([
  ['monaco.osm.pbf', 'monaco'],
  ['/maps/Île-de-France-latest.osm.pbf', 'ile-de-france-latest'],
  ['C:\\maps\\New York.pbf', 'new-york'],
  ['東京.osm.pbf', ''],
])('regionIdOf: %s -> %s', (file, id) => {
  expect(regionIdOf(file)).toBe(id)
})
