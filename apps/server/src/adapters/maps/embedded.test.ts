import { gunzipSync } from 'node:zlib'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeMaps, tileOf } from './port.suite.ts'
import type { Maps, Place } from './port.ts'
import { testMaps } from './test-maps.fixture.ts'

const create = testMaps

const plazaIndependencia: LatLng = { lat: -34.9067, lng: -56.1997 }
const tresCruces: LatLng = { lat: -34.8937, lng: -56.1661 }

describeMaps('embedded', create, {
  street: {
    query: 'Bulevar General Artigas',
    misspelt: 'bulevar genral artiags',
    label: 'Bulevar General Artigas',
  },
  houseNumber: { query: '18 de julio 1234', label: 'Avenida 18 de Julio 1234' },
  from: plazaIndependencia,
  to: tresCruces,
  outside: { lat: -35.2, lng: -56.2 },
})

describe('embedded maps: Montevideo', () => {
  let maps: Maps
  beforeAll(async () => {
    maps = await create()
  })

  // The embedded map's results always have a position.
  const search = async (query: string, near?: LatLng) =>
    (await maps.search(query, { near, limit: 20 })) as Place[]
  const first = async (query: string, near?: LatLng) => (await search(query, near))[0]

  it.each([
    ['Bulevar Artigas', 'Bulevar General Artigas', 'street'],
    ['blvr artigas', 'Bulevar General Artigas', 'street'],
    ['BV. ARTIGAS', 'Bulevar General Artigas', 'street'],
    ['av italia', 'Avenida Italia', 'street'],
    ['8 de octubre', 'Avenida 8 de Octubre', 'street'],
    ['18 de jul', 'Avenida 18 de Julio', 'street'],
    ['jose batlle y ordonez', 'Bulevar José Batlle y Ordóñez', 'street'],
    ['estadio centenari', 'Estadio Centenario', 'place'],
    ['teatro solis', 'Teatro Solís', 'place'],
    ['Teatro Solís, Montevideo, Uruguay', 'Teatro Solís', 'place'],
    ['punta carretas shoping', 'Punta Carretas Shopping', 'place'],
    ['pocitos', 'Pocitos', 'place'],
    ['garibladi 2000', 'Avenida General José Garibaldi 2000', 'address'],
    ['18 de Julio 1234, Montevideo', 'Avenida 18 de Julio 1234', 'address'],
    ['21 de septiembre 2502', '21 de Setiembre 2502', 'address'],
    ['aeropuerto', 'Aeropuerto Internacional de Carrasco', 'place'],
    ['hospital britanico', 'Hospital Británico', 'place'],
    ['colonia y yaguaron', 'Colonia / Yaguarón', 'address'],
    ['Ejido esq. 18 de Julio', 'Ejido / Avenida 18 de Julio', 'address'],
  ])('"%s" -> %s', async (query, label, kind) => {
    expect(await first(query)).toMatchObject({ label, kind })
  })

  it.each([
    ['aeropuerto', 'Aeropuerto Internacional de Carrasco'],
    ['hospital de clinicas', 'Hospital de Clínicas "Doctor Manuel Quintela"'],
    ['terminal tres cruces', 'Terminal Tres Cruces'],
    ['montevideo shopping', 'Montevideo Shopping'],
    ['estadio centenario', 'Estadio Centenario'],
    ['zoologico', 'Zoológico Villa Dolores'],
    ['cementerio central', 'Cementerio Central'],
  ])('large place "%s" -> first, where a car can stop', async (query, label) => {
    const place = await first(query)
    expect(place?.label).toBe(label)
    const route = await maps.route([tresCruces, place as LatLng])
    expect(greatCircleKm(route?.polyline.at(-1) as LatLng, place as LatLng)).toBeLessThan(0.01)
  })

  it('airport -> stop at the terminal, not on the airfield', async () => {
    const [airport] = await maps.search('aeropuerto')
    const [terminal] = await maps.search('terminal de pasajeros del aeropuerto')
    expect(greatCircleKm(airport as LatLng, terminal as LatLng)).toBeLessThan(0.1)
  })

  it.each([
    ['estacionamiento tres cruces', 'Estacionamiento Tres Cruces'],
    ['estacionamiento montevideo shopping', 'Estacionamiento Montevideo Shopping'],
    ['plaza independencia', 'Plaza Independencia'],
    ['portones shopping', 'Portones Shopping'],
    ['aeropuerto', 'Aeropuerto Internacional de Carrasco'],
  ])('"%s" -> listed once', async (query, label) => {
    const places = await maps.search(query, { limit: 20 })
    expect(places.filter((place) => place.label === label)).toHaveLength(1)
  })

  it.each(['buenos aires', 'abitab', 'la pasiva'])(
    'places named "%s" -> no two look the same',
    async (query) => {
      const read = (await maps.search(query, { limit: 20 })).map(({ label, detail }) => `${label}, ${detail}`)
      expect(read.length).toBeGreaterThan(1)
      expect(new Set(read).size).toBe(read.length)
    },
  )

  it.each([
    ['Bulevar Artigas 1500', /^Bulevar General Artigas (14|15)\d\d$/, 1500],
    ['bulevar artigas 99999', /^Bulevar General Artigas$/, 99_999],
    ['18 de julio 1234', /^Avenida 18 de Julio 1234$/, undefined],
    ['18 de julio', /^Avenida 18 de Julio$/, undefined],
    ['ruta 8', /^Ruta 8/, undefined],
  ])('"%s" -> %s with missing number %s', async (query, label, missingNumber) => {
    const place = await first(query)
    expect(place?.label).toMatch(label)
    expect(place?.missingNumber).toBe(missingNumber)
  })

  it('existing house number -> no result has missingNumber', async () => {
    const found = await maps.search('18 de julio 1234', { limit: 20 })
    expect(found.filter((place) => place.missingNumber !== undefined)).toEqual([])
  })

  it('two streets with the same name -> the nearer one first', async () => {
    const all = (await search('Pasaje Artigas')).filter(({ label }) => label === 'Pasaje Artigas')
    expect(all.length).toBeGreaterThan(1)
    for (const place of all) expect(await first('Pasaje Artigas', place)).toMatchObject({ id: place.id })
  })

  it('local word for a kind of place -> one nearby', async () => {
    const [pharmacy] = await maps.search('farmacia', { near: tresCruces })
    expect(pharmacy?.kind).toBe('place')
    expect(greatCircleKm(pharmacy as LatLng, tresCruces)).toBeLessThan(1.5)
  })

  it('any input -> no error', async () => {
    for (const query of [
      'y',
      '1',
      '1234',
      'a'.repeat(5_000),
      'de la los',
      '🚕 18',
      '/',
      ' esquina ',
      '\u0000',
      'y y y y y',
    ]) {
      expect(await maps.search(query)).toBeInstanceOf(Array)
    }
  })

  it('detail -> part of town', async () => {
    expect((await first('18 de julio 1234'))?.detail).toBe('Centro, Montevideo')
    expect((await first('18 de julio 2200'))?.detail).toBe('Cordón, Montevideo')
  })

  it('no house number nearby -> the street', async () => {
    const place = await maps.address({ lat: -34.9237, lng: -56.1708 })
    expect(place).toMatchObject({ label: 'Avenida Doctor Juan Andrés Cachon', kind: 'street' })
    expect(place?.detail).toMatch(/Punta Carretas/)
  })

  it('one-way street -> direct one way, around the block the other way', async () => {
    const [west, east] = [await first('San José 1100'), await first('San José 1200')]
    if (!west || !east) throw new Error('San José has no such numbers')
    const [there, back] = [await maps.route([west, east]), await maps.route([east, west])]
    const [short, long] = [there, back].map((route) => route?.distanceKm as number).sort((a, b) => a - b)
    expect(short).toBeLessThan(0.25)
    expect(long).toBeGreaterThan((short as number) * 1.8)
  })

  it('tile -> sea, named streets, parks, beaches, buildings, rail and house numbers', async () => {
    const layers = async (point: LatLng, z: number) => {
      const bytes = await maps.tile(z, ...tileOf(point, z))
      return new VectorTile(new PbfReader(gunzipSync(bytes as Uint8Array))).layers
    }
    const shore = await layers({ lat: -34.9131, lng: -56.1721 }, 13)
    expect(Object.keys(shore)).toEqual(expect.arrayContaining(['water', 'beach', 'park', 'road', 'place']))
    const sea = shore.water?.feature(0)
    expect(sea?.properties).toMatchObject({ kind: 'sea' })
    const centre = await layers(plazaIndependencia, 16)
    expect(Object.keys(centre)).toEqual(expect.arrayContaining(['building', 'road', 'poi', 'housenumber']))
    const roads = Array.from(
      { length: centre.road?.length ?? 0 },
      (_, at) => centre.road?.feature(at).properties,
    )
    expect(roads.some((road) => road?.name && road.oneway === 1)).toBe(true)
    expect(Object.keys(await layers({ lat: -34.8869, lng: -56.1966 }, 14))).toContain('rail')
  })

  it('tile -> sea in the river, none in the city', async () => {
    expect(await seaAt(maps, { lat: -34.935, lng: -56.195 })).toBe(true)
    expect(await seaAt(maps, { lat: -34.885, lng: -56.225 })).toBe(true)
    expect(await seaAt(maps, { lat: -34.9011, lng: -56.1645 })).toBe(false)
    expect(await seaAt(maps, { lat: -34.9069, lng: -56.208 })).toBe(false)
    expect(await seaAt(maps, { lat: -34.875, lng: -56.266 })).toBe(false)
  })

  it('prepared map -> the same each time it is read from disk', async () => {
    const again = await create()
    expect(again.tileVersion).toBe(maps.tileVersion)
    expect(await again.search('rivera 2500')).toEqual(await maps.search('rivera 2500'))
    expect(await again.route([plazaIndependencia, tresCruces])).toEqual(
      await maps.route([plazaIndependencia, tresCruces]),
    )
    const tile = [14, ...tileOf(tresCruces, 14)] as [number, number, number]
    expect(await again.tile(...tile)).toEqual(await maps.tile(...tile))
  })
})

/** Whether the tile at a point has sea there. */
async function seaAt(maps: Maps, point: LatLng): Promise<boolean> {
  const [x, y] = tileOf(point, 15)
  const bytes = await maps.tile(15, x, y)
  const { water } = new VectorTile(new PbfReader(gunzipSync(bytes as Uint8Array))).layers
  const px = ((point.lng / 360 + 0.5) * 2 ** 15 - x) * 4096
  const py = ((0.5 - Math.asinh(Math.tan((point.lat * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** 15 - y) * 4096
  for (let at = 0; at < (water?.length ?? 0); at++) {
    const feature = water?.feature(at)
    if (feature?.properties.kind !== 'sea') continue
    let inside = false
    for (const ring of feature.loadGeometry()) {
      ring.forEach((a, i) => {
        const b = ring.at(i - 1) as typeof a
        if (a.y > py !== b.y > py && px < ((b.x - a.x) * (py - a.y)) / (b.y - a.y) + a.x) inside = !inside
      })
    }
    // The parts of a large area overlap.
    if (inside) return true
  }
  return false
}
