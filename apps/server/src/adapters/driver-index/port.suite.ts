import { boxAround } from '@hansom/domain/geo/path'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DriverIndex, IndexedDriver, NearestQuery } from './port.ts'

const plaza: LatLng = { lat: -34.9058, lng: -56.1913 }
const everywhere = { count: 10, radiusKm: 20_100 }

function driver(id: string, at: LatLng, more: Partial<IndexedDriver> = {}): IndexedDriver {
  return {
    id,
    ...at,
    at: 1_000,
    heardAt: 1_000,
    bearing: null,
    eligible: true,
    car_type_id: 'economy',
    ...more,
  }
}

function byBruteForce(drivers: Iterable<IndexedDriver>, from: LatLng, query: NearestQuery) {
  return [...drivers]
    .filter((one) => one.eligible && !query.exclude?.has(one.id))
    .filter((one) => query.carTypeId === undefined || one.car_type_id === query.carTypeId)
    .filter((one) => query.heardSince === undefined || one.heardAt >= query.heardSince)
    .map((one) => ({ id: one.id, km: greatCircleKm(from, one) }))
    .filter((one) => one.km <= query.radiusKm)
    .sort((a, b) => a.km - b.km || (a.id < b.id ? -1 : 1))
    .slice(0, query.count)
}

/** Positions in a dense city, in a city on the date line, near each pole, and anywhere on Earth. */
const place = fc.oneof(
  { weight: 6, arbitrary: around(plaza, 0.01) },
  { weight: 2, arbitrary: around({ lat: -16.8, lng: 180 }, 0.01) },
  { weight: 1, arbitrary: fc.record({ lat: degrees(89.99, 90), lng: degrees(-180, 180) }) },
  { weight: 1, arbitrary: fc.record({ lat: degrees(-90, -89.99), lng: degrees(-180, 180) }) },
  { weight: 1, arbitrary: fc.record({ lat: degrees(-90, 90), lng: degrees(-180, 180) }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(plaza, { lat: 0, lng: -180 }, { lat: 0, lng: 180 }, { lat: 90, lng: 7 }),
  },
)

function degrees(min: number, max: number) {
  return fc.double({ min, max, noNaN: true })
}

function around(center: LatLng, spread: number) {
  return fc
    .record({ north: degrees(-spread, spread), east: degrees(-spread, spread) })
    .map(({ north, east }) => {
      const lng = center.lng + east
      return { lat: center.lat + north, lng: lng > 180 ? lng - 360 : lng }
    })
}

const anId = fc.integer({ min: 0, max: 80 }).map((number) => `driver-${number}`)
const aCarType = fc.constantFrom('economy', 'comfort', null)
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('upsert' as const),
      id: anId,
      at: place,
      eligible: fc.boolean(),
      carType: aCarType,
      reported: fc.integer({ min: 0, max: 100 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), id: anId }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('eligible' as const), id: anId, eligible: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('search' as const),
      from: place,
      query: fc.record(
        {
          count: fc.integer({ min: 0, max: 12 }),
          radiusKm: fc.constantFrom(0, 0.3, 2, 10, 500, 20_100),
          carTypeId: fc.constantFrom('economy', 'comfort', 'unknown'),
          heardSince: fc.integer({ min: 0, max: 100 }),
          exclude: fc.array(anId, { maxLength: 10 }).map((ids): ReadonlySet<string> => new Set(ids)),
        },
        { requiredKeys: ['count', 'radiusKm'] },
      ),
    }),
  },
)

/** Contract tests for every driver index. `open` returns an empty one. */
export function driverIndexSuite(name: string, open: () => Promise<DriverIndex>) {
  describe(`driver index: ${name}`, () => {
    it('nearest: drivers at different distances -> sorted by distance, with distances', async () => {
      const index = await open()
      index.upsert(driver('far', { lat: -34.9, lng: -56.1 }))
      index.upsert(driver('near', { lat: -34.906, lng: -56.191 }))
      index.upsert(driver('middle', { lat: -34.91, lng: -56.18 }))
      const found = await index.nearest(plaza, { count: 2, radiusKm: 10 })
      expect(found.map((one) => one.id)).toEqual(['near', 'middle'])
      expect(found[0]?.km).toBeCloseTo(greatCircleKm(plaza, { lat: -34.906, lng: -56.191 }), 9)
    })

    it('get: known driver -> all fields; unknown driver -> null', async () => {
      const index = await open()
      const stored = driver('one', plaza, { bearing: 123.45, at: 1_700_000_000_123, eligible: false })
      index.upsert(stored)
      expect(await index.get('one')).toEqual(stored)
      expect(await index.get('two')).toBeNull()
      expect(await index.size()).toBe(1)
    })

    it('nearest: ineligible driver -> not found until eligible', async () => {
      const index = await open()
      index.upsert(driver('one', plaza, { eligible: false }))
      expect(await index.nearest(plaza, everywhere)).toEqual([])
      index.setEligible('one', true)
      expect(await index.nearest(plaza, everywhere)).toEqual([{ id: 'one', km: 0 }])
      index.setEligible('one', false)
      expect(await index.nearest(plaza, everywhere)).toEqual([])
      index.setEligible('two', true)
      expect(await index.get('two')).toBeNull()
    })

    it('remove: known driver -> only that one is gone', async () => {
      const index = await open()
      for (const id of ['one', 'two', 'three']) index.upsert(driver(id, plaza))
      index.remove('one')
      index.remove('never there')
      expect((await index.nearest(plaza, everywhere)).map((one) => one.id)).toEqual(['three', 'two'])
      expect(await index.size()).toBe(2)
    })

    it('upsert: invalid coordinates -> RangeError, previous position stays', async () => {
      const index = await open()
      index.upsert(driver('one', plaza))
      for (const wrong of [
        { lat: 91, lng: 0 },
        { lat: 0, lng: 181 },
        { lat: Number.NaN, lng: 0 },
      ]) {
        expect(() => index.upsert(driver('one', wrong))).toThrow(RangeError)
      }
      expect(await index.get('one')).toMatchObject(plaza)
    })

    it('nearest: across the date line and a pole -> found', async () => {
      const index = await open()
      index.upsert(driver('east', { lat: -16.8, lng: 179.999 }))
      index.upsert(driver('pole', { lat: 89.999, lng: 170 }))
      const west = await index.nearest({ lat: -16.8, lng: -179.999 }, { count: 1, radiusKm: 1 })
      expect(west.map((one) => one.id)).toEqual(['east'])
      const across = await index.nearest({ lat: 89.999, lng: -10 }, { count: 1, radiusKm: 1 })
      expect(across.map((one) => one.id)).toEqual(['pole'])
    })

    it('sample: box with more drivers than the limit -> eligible drivers, spread over the box', async () => {
      const index = await open()
      for (let number = 0; number < 100; number++) {
        index.upsert(driver(`d${number}`, { lat: plaza.lat + number / 10_000, lng: plaza.lng }))
      }
      index.upsert(driver('busy', plaza, { eligible: false }))
      index.upsert(driver('elsewhere', { lat: 10, lng: 10 }))
      const box = boxAround(plaza, 5)
      expect(await index.sample(box, 1_000)).toHaveLength(100)
      const some = await index.sample(box, 10)
      expect(new Set(some.map((one) => one.id)).size).toBe(10)
      const spread = some.map((one) => one.lat)
      expect(Math.max(...spread) - Math.min(...spread)).toBeGreaterThan(0.008)
      const fiji = driver('fiji', { lat: -16.8, lng: -179.99 })
      index.upsert(fiji)
      expect(await index.sample({ south: -17, north: -16, west: 179.9, east: -179.9 }, 5)).toEqual([fiji])
      expect(await index.sample(boxAround({ lat: -16.8, lng: 179.99 }, 10), 5)).toEqual([fiji])
    })

    it('sample: boxes around the date line -> every driver exactly once, same as brute force', async () => {
      const index = await open()
      const all = Array.from({ length: 3_000 }, (_, number) =>
        driver(`d${number}`, {
          lat: -16.9 + ((number * 0.61803398875) % 1) * 0.2,
          lng:
            179.9 +
            ((number * 0.7548776662) % 1) * 0.2 -
            (((number * 0.7548776662) % 1) * 0.2 >= 0.1 ? 360 : 0),
        }),
      )
      for (const one of all) index.upsert(one)
      for (const [lat, lng, km] of [
        [-16.8, 179.99, 3],
        [-16.8, -179.95, 2],
        [-16.85, 179.93, 1],
        [-16.8, 180, 30],
      ] as const) {
        const box = boxAround({ lat, lng }, km)
        const within = all.filter(
          (one) =>
            one.lat >= box.south &&
            one.lat <= box.north &&
            (one.lng - box.west + 720) % 360 <= (box.east - box.west + 720) % 360,
        )
        const found = await index.sample(box, 5_000)
        expect(found.map((one) => one.id).sort()).toEqual(within.map((one) => one.id).sort())
        expect(within.length).toBeGreaterThan(20)
      }
    })

    it('sample: driver not seen since heardSince -> left out', async () => {
      const index = await open()
      index.upsert(driver('parked', plaza, { heardAt: 999 }))
      index.upsert(driver('seen', plaza, { heardAt: 1_000 }))
      const found = await index.sample(boxAround(plaza, 5), 10, 1_000)
      expect(found.map((one) => one.id)).toEqual(['seen'])
      expect(await index.sample(boxAround(plaza, 5), 10)).toHaveLength(2)
    })

    it('nearest: search and driver just west of the date line -> found', async () => {
      const index = await open()
      index.upsert(driver('west', { lat: -16.8, lng: 179.99999999999994 }))
      const query = { count: 1, radiusKm: 0.3 }
      expect(await index.nearest({ lat: -16.8, lng: 179.99999999999997 }, query)).toHaveLength(1)
    })

    it('nearest: random moves and eligibility changes -> same result as brute force', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 300, size: 'max' }), async (steps) => {
          const index = await open()
          const known = new Map<string, IndexedDriver>()
          for (const one of steps) {
            if (one.kind === 'upsert') {
              const { eligible, carType, reported } = one
              const next = driver(one.id, one.at, { eligible, car_type_id: carType, heardAt: reported })
              known.set(one.id, next)
              index.upsert(next)
            } else if (one.kind === 'remove') {
              known.delete(one.id)
              index.remove(one.id)
            } else if (one.kind === 'eligible') {
              const before = known.get(one.id)
              if (before) known.set(one.id, { ...before, eligible: one.eligible })
              index.setEligible(one.id, one.eligible)
            } else {
              const found = await index.nearest(one.from, one.query)
              const expected = byBruteForce(known.values(), one.from, one.query)
              expect(found.length).toBe(expected.length)
              found.forEach((hit, place) => {
                expect(Math.abs(hit.km - (expected[place]?.km ?? Number.NaN))).toBeLessThan(1e-6)
                expect(hit.km).toBe(greatCircleKm(one.from, known.get(hit.id) as IndexedDriver))
              })
              expect(new Set(found.map((hit) => hit.id)).size).toBe(found.length)
            }
          }
          expect(await index.size()).toBe(known.size)
        }),
        { numRuns: 150 },
      )
    })
  })
}
