import type { LatLng } from '@hansom/domain/geo/point'
import { describe, expect, it } from 'vitest'
import type { Region } from '../port.ts'
import { type RegionMaps, sideBySide } from './side-by-side.ts'

/** Streets along the meridians from `west` to `east`, in thousandths of a degree; a point within 10 of them is covered. */
function region(id: string, west: number, east: number): RegionMaps {
  const away = ({ lng }: LatLng) => Math.max(0, west - lng * 1000, lng * 1000 - east)
  const covers = (point: LatLng) => away(point) <= 10
  const time = { distanceKm: west, durationS: west }
  const driveTimes: RegionMaps['driveTimes'] = async (froms, to) =>
    froms.map((from) => (covers(from) && covers(to) ? time : null))
  return {
    region: { id, center: { lat: 0, lng: west / 1000 }, bounds: [0, 0, 0, 0] } as unknown as Region,
    tileVersion: id,
    contents: [],
    tileZooms: { min: 8, max: 16 },
    covers,
    metresToStreet: (point) => (covers(point) ? away(point) * 100 : null),
    search: async () => [1, 2].map((n) => ({ id: `${id}${n}`, label: id, detail: '', kind: 'place' })),
    place: async () => null,
    address: async (point) => ({ id: '1', label: id, detail: '', kind: 'address', ...point }),
    route: async (points) => ({ ...time, polyline: points }),
    driveTimes,
    driveTimeTable: async () => [],
    driveTimePairs: async (froms, tos, pairs) =>
      Promise.all(
        pairs.map(async ([from, to]) => {
          const [time] = await driveTimes([froms[from] as LatLng], tos[to] as LatLng)
          return time ?? null
        }),
      ),
    alternatives: async () => [],
    match: async () => ({ ...time, line: [], unmatchedKm: 0, breaks: [], matchedShare: 1 }),
    tile: async () => null,
  }
}

describe('sideBySide', () => {
  // The home reaches to 100, its neighbour begins at 105: between 95 and 110 both cover a point.
  const maps = sideBySide([region('home', 1, 100), region('neighbour', 105, 200)])
  const at = (thousandths: number) => ({ lat: 0, lng: thousandths / 1000 })

  it.each([
    ['of the home', 100, 'home'],
    ['of the neighbour, also covered by the home', 106, 'neighbour'],
    ['between them, nearer to the neighbour', 104, 'neighbour'],
    ['between them, nearer to the home', 101, 'home'],
  ])('address of a point %s -> from the region whose streets are nearer', async (_, point, label) => {
    expect(await maps.address(at(point))).toMatchObject({ label, id: `${label}~1` })
  })

  it('trip within the neighbour, both ends also covered by the home -> its streets', async () => {
    expect(await maps.route([at(107), at(109)])).toMatchObject({ distanceKm: 105 })
    expect(await maps.match([at(107), at(108), at(109)].map((point) => ({ ...point, at: 0 })))).toMatchObject(
      { distanceKm: 105 },
    )
  })

  it('pickup that both cover, drivers that one covers -> each time from the region of both', async () => {
    const froms = [at(50), at(150), at(500)]
    const times = await maps.driveTimes(froms, at(103))
    expect(times.map((time) => time?.distanceKm ?? null)).toEqual([1, 105, null])
    expect(await maps.driveTimeTable(froms, [at(103)])).toEqual(times.map((time) => [time]))
    const pairs = froms.map((_, index): [number, number] => [index, 0])
    expect(await maps.driveTimePairs(froms, [at(103)], pairs)).toEqual(times)
  })

  it('search -> one result of each region in turn', async () => {
    const found = await maps.search('any', { limit: 3, near: at(190) })
    expect(found.map(({ id }) => id)).toEqual(['neighbour~neighbour1', 'home~home1', 'neighbour~neighbour2'])
  })

  it('point far from both -> not covered, no address', async () => {
    expect(maps.covers(at(300))).toBe(false)
    expect(maps.metresToStreet(at(300))).toBeNull()
    expect(await maps.address(at(300))).toBeNull()
    expect(await maps.route([at(50), at(300)])).toBeNull()
  })
})
