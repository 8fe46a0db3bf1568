import { gunzipSync } from 'node:zlib'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DriveTime, Maps } from './port.ts'

/** Known places in the region that an adapter serves. */
export interface KnownPlaces {
  /** A street with house numbers: its name, a misspelled query and its label. */
  street: { query: string; misspelt: string; label: string }
  houseNumber: { query: string; label: string }
  /** Two places of the region a few kilometers apart by street. */
  from: LatLng
  to: LatLng
  /** A point far outside the region. */
  outside: LatLng
  /** Where an outside service differs. */
  differs?: {
    /** It finds complete, correctly spelled names only. */
    exactNames?: true
    /** Its street network is the embedded map's, whose tests are its own. */
    embeddedStreets?: true
    /** The error of each distance and duration by rounding, km and s. */
    rounding?: { km: number; s: number }
  }
}

const calculated = { km: 0.000_5, s: 0.000_5 }

/** Contract tests for every maps adapter, on the region it serves. */
export function describeMaps(name: string, create: () => Promise<Maps>, known: KnownPlaces): void {
  describe(`maps: ${name}`, () => {
    let maps: Maps
    const { exactNames, embeddedStreets = false, rounding = calculated } = known.differs ?? {}
    const expectSum = (whole: DriveTime | null | undefined, parts: (DriveTime | null | undefined)[]) => {
      if (!whole || parts.some((part) => !part)) throw new Error('no route')
      const sum = (key: 'distanceKm' | 'durationS') =>
        parts.reduce((total, part) => total + (part?.[key] ?? 0), 0)
      expect(Math.abs(whole.distanceKm - sum('distanceKm'))).toBeLessThanOrEqual(rounding.km * parts.length)
      expect(Math.abs(whole.durationS - sum('durationS'))).toBeLessThanOrEqual(rounding.s * parts.length)
    }
    beforeAll(async () => {
      maps = await create()
    })

    it('region -> bounds contain its center', () => {
      const [west, south, east, north] = maps.region.bounds
      expect(maps.region.center.lng).toBeGreaterThan(west)
      expect(maps.region.center.lng).toBeLessThan(east)
      expect(maps.region.center.lat).toBeGreaterThan(south)
      expect(maps.region.center.lat).toBeLessThan(north)
      expect(maps.region.countryCode).toMatch(/^[A-Z]{2}$/)
      expect(maps.region.attribution).not.toBe('')
      expect(() => new Intl.DateTimeFormat('en', { timeZone: maps.region.timezone })).not.toThrow()
    })

    it('search: street with exact, misspelled and partial name -> found', async () => {
      const inexact = exactNames ? [] : [known.street.misspelt, known.street.query.slice(0, -2)]
      for (const query of [known.street.query, ...inexact]) {
        const labels = (await maps.search(query)).map((place) => place.label)
        expect(labels, query).toContain(known.street.label)
      }
    })

    it('search: house number -> found', async () => {
      const [first] = await maps.search(known.houseNumber.query)
      expect(first).toMatchObject({ label: known.houseNumber.label, kind: 'address' })
    })

    it('search: empty, nonsense or another country -> nothing', async () => {
      expect(await maps.search('')).toEqual([])
      expect(await maps.search('  ,;  ')).toEqual([])
      expect(await maps.search('qxwzkjv qqqqqqq')).toEqual([])
      expect(await maps.search(known.street.query, { country: 'ZZ' })).toEqual([])
      const own = await maps.search(known.street.query, { country: maps.region.countryCode.toLowerCase() })
      expect(own.length).toBeGreaterThan(0)
    })

    it('search: limit -> at most that many places, no duplicates', async () => {
      const query = exactNames ? known.street.query : known.street.query.slice(0, 3)
      const places = await maps.search(query, { limit: 5 })
      expect(places.length).toBeGreaterThan(0)
      expect(places.length).toBeLessThanOrEqual(5)
      expect(new Set(places.map((place) => place.id)).size).toBe(places.length)
    })

    it('place: id from a search -> the place; unknown id -> null', async () => {
      const places = [
        ...(await maps.search(known.street.query)),
        ...(await maps.search(known.houseNumber.query)),
      ]
      for (const place of places) {
        const { id, label, kind } = place
        expect(await maps.place(id)).toMatchObject({ id, label, kind })
        // Some services return positions, and longer addresses, for a chosen place only.
        if (place.lat !== undefined) expect(await maps.place(id)).toEqual(place)
      }
      for (const id of ['', 'nowhere', 'n0:0', 's1', '../../etc/passwd'])
        expect(await maps.place(id)).toBeNull()
    })

    it("address: point -> nearest address; house number's position -> that number", async () => {
      const here = await maps.address(known.from)
      expect(here?.label).not.toBe('')
      const [house] = await maps.search(known.houseNumber.query)
      const position = await maps.place(house?.id ?? '')
      expect((await maps.address(position as LatLng))?.label).toBe(known.houseNumber.label)
      expect(await maps.address(known.outside)).toBeNull()
    })

    it('route: two places -> a line between them', async () => {
      const route = await maps.route([known.from, known.to])
      if (!route) throw new Error('no route')
      const straight = greatCircleKm(known.from, known.to)
      expect(route.distanceKm).toBeGreaterThan(straight * 0.95)
      expect(route.distanceKm).toBeLessThan(straight * 4)
      expect(lengthOf(route.polyline)).toBeCloseTo(route.distanceKm, 1)
      expect((route.distanceKm / route.durationS) * 3600).toBeLessThan(130)
      expect((route.distanceKm / route.durationS) * 3600).toBeGreaterThan(5)
      expect(greatCircleKm(route.polyline[0] as LatLng, known.from)).toBeLessThan(0.3)
      expect(greatCircleKm(route.polyline.at(-1) as LatLng, known.to)).toBeLessThan(0.3)
    })

    it('route: points in between -> sum of the legs', async () => {
      const route = await maps.route([known.from, maps.region.center, known.to])
      const one = await maps.route([known.from, maps.region.center])
      const two = await maps.route([maps.region.center, known.to])
      expectSum(route, [one, two])
    })

    it('route: outside the region, one point or none -> null', async () => {
      expect(maps.covers(known.from)).toBe(true)
      expect(maps.covers(known.outside)).toBe(false)
      expect(await maps.route([known.from, known.outside])).toBeNull()
      expect(await maps.route([known.from])).toBeNull()
      expect(await maps.route([])).toBeNull()
      expect(await maps.route([known.from, { lat: Number.NaN, lng: 0 }])).toBeNull()
      expect(await maps.address({ lat: 95, lng: 400 })).toBeNull()
    })

    it('route: from a place to itself -> takes no time', async () => {
      expect(await maps.route([known.from, known.from])).toMatchObject({ distanceKm: 0, durationS: 0 })
    })

    it('driveTimes -> same as the routes, in order', async () => {
      const times = await maps.driveTimes([known.from, known.outside, maps.region.center], known.to)
      const first = await maps.route([known.from, known.to])
      const last = await maps.route([maps.region.center, known.to])
      expect(times).toHaveLength(3)
      expectSum(times[0], [first])
      expect(times[1]).toBeNull()
      expectSum(times[2], [last])
    })

    it.skipIf(embeddedStreets)('driveTimeTable -> a row for each start, the same as the routes', async () => {
      const starts = [known.from, known.outside]
      const ends = [known.to, maps.region.center, known.outside]
      const rows = await maps.driveTimeTable(starts, ends)
      expect(rows).toEqual([
        [expect.any(Object), expect.any(Object), null],
        [null, null, null],
      ])
      expect(rows[0]?.[0]?.durationS).toBeGreaterThan(60)
      expect(await maps.driveTimeTable([], ends)).toEqual([])
    })

    it.skipIf(embeddedStreets)('driveTimePairs -> the wanted trips, the same as the table', async () => {
      const points = [known.from, known.to, maps.region.center, known.outside]
      const table = await maps.driveTimeTable(points, points)
      const pairs: [number, number][] = [
        [1, 0],
        [0, 2],
        [2, 3],
        [1, 2],
        [0, 0],
      ]
      const times = await maps.driveTimePairs(points, points, pairs)
      expect(times).toEqual(pairs.map(([from, to]) => table[from]?.[to]))
      expect(times[2]).toBeNull()
      expect(await maps.driveTimePairs([], points, [])).toEqual([])
    })

    it.skipIf(embeddedStreets)(
      'match: positions along a route -> its distance; none -> nothing',
      async () => {
        const route = await maps.route([known.from, known.to])
        const points = (route?.polyline ?? []).map((point, at) => ({
          ...point,
          at: at * 20_000,
          accuracy: 5,
        }))
        const { distanceKm, matchedShare } = await maps.match(points)
        expect(distanceKm / (route?.distanceKm ?? 1)).toBeGreaterThan(0.9)
        expect(distanceKm / (route?.distanceKm ?? 1)).toBeLessThan(1.1)
        expect(matchedShare).toBeGreaterThan(0.9)
        expect(await maps.match([])).toEqual({
          distanceKm: 0,
          line: [],
          unmatchedKm: 0,
          breaks: [],
          matchedShare: 0,
        })
      },
    )

    it('tile: inside the region -> named roads; outside -> null', async () => {
      const { min, max } = maps.tileZooms
      for (const z of [min, Math.round((min + max) / 2), max]) {
        const [x, y] = tileOf(maps.region.center, z)
        const bytes = await maps.tile(z, x, y)
        if (!bytes) throw new Error(`no tile ${z}/${x}/${y}`)
        const { layers } = new VectorTile(new PbfReader(gunzipSync(bytes)))
        // Widely zoomed out, a small region may have no road that is drawn.
        if (z === min && !layers.road) continue
        expect(layers.road?.length, `${z}/${x}/${y}`).toBeGreaterThan(0)
        expect(layers.road?.feature(0).properties.class).toEqual(expect.any(String))
      }
      expect(maps.tileVersion).not.toBe('')
      const [x, y] = tileOf({ lat: 52.5, lng: 13.4 }, min + 2)
      expect(await maps.tile(min + 2, x, y)).toBeNull()
      expect(await maps.tile(max + 1, 0, 0)).toBeNull()
      expect(await maps.tile(min, -1, 0.5)).toBeNull()
    })
  })
}

function lengthOf(line: LatLng[]): number {
  return line.slice(1).reduce((sum, point, at) => sum + greatCircleKm(line[at] as LatLng, point), 0)
}

/** Column and row of the tile that contains a point. */
export function tileOf({ lat, lng }: LatLng, z: number): [number, number] {
  const side = 2 ** z
  const y = 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)
  return [Math.floor((lng / 360 + 0.5) * side), Math.floor(y * side)]
}
