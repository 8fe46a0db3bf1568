import { gzipSync } from 'node:zlib'
import type { LatLng } from '@hansom/domain/geo/point'
import { bounds } from '@hansom/doubles/maps/street-grid'
import type { GeoJSONVTTile } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import { boxRegion, isInBox } from './area.ts'
import { type DayMeter, type OutsideMapsOptions, openOutsideMaps } from './open-services.ts'
import type { Maps, Place } from './port.ts'

/** The town of the doubles, as an embedded map: `fallback` says what it answers instead of a service. */
export function townMap(fallback: Partial<Maps> = {}, covered = bounds): Maps {
  const unexpected = () => Promise.reject(new Error('the embedded map was asked'))
  const zooms = { min: 8, max: 16 }
  const [west, south, east, north] = covered
  return {
    region: {
      id: 'town',
      name: 'Town',
      countryCode: 'UY',
      timezone: 'America/Montevideo',
      currency: 'UYU',
      languages: ['es'],
      center: { lat: (south + north) / 2, lng: (west + east) / 2 },
      bounds: covered,
      attribution: '© OpenStreetMap contributors',
    },
    contents: [],
    tileVersion: '1',
    tileZooms: zooms,
    covers: (point) => isInBox(covered, point),
    tile: async (z, x, y) =>
      z >= zooms.min && z <= zooms.max && isInBox(covered, middleOf(z, x, y, covered)) ? roadTile : null,
    search: unexpected,
    place: async () => null,
    address: unexpected,
    route: unexpected,
    driveTimes: unexpected,
    driveTimeTable: unexpected,
    driveTimePairs: unexpected,
    alternatives: unexpected,
    match: unexpected,
    ...fallback,
  }
}

/** An answer of the embedded map that a test recognizes. */
export const ownPlace: Place = {
  id: 'p1',
  label: 'Own map',
  detail: '',
  kind: 'place',
  lat: -34.91,
  lng: -56.19,
}
export const ownAnswers: Partial<Maps> = {
  search: async () => [ownPlace],
  address: async () => ownPlace,
  route: async (points) => ({ distanceKm: 1, durationS: 60, polyline: points }),
  driveTimes: async (froms) => froms.map(() => ({ distanceKm: 1, durationS: 60 })),
}

/** A meter with a cap that counts in memory, and throws for failures beyond `mostFailures`. */
export function countingMeter(
  most = Number.POSITIVE_INFINITY,
  mostFailures = Number.POSITIVE_INFINITY,
): DayMeter & { taken: string[]; failures: string[] } {
  const taken: string[] = []
  const failures: string[] = []
  return {
    taken,
    failures,
    take: (service, kind, units) => {
      if (taken.length >= most) return false
      taken.push(`${service} ${kind} ${units}`)
      return true
    },
    failed: (service, kind) => {
      if (failures.length >= mostFailures) throw new Error('not counted')
      failures.push(`${service} ${kind}`)
    },
    today: () => ({
      day: '2026-01-01',
      calls: [],
      total: { calls: taken.length, microUsd: 0 },
      cap: { calls: Number.isFinite(most) ? most : null, microUsd: null },
    }),
    flush: async () => {},
  }
}

/** The town of the doubles as a configured service area. */
export const townArea = boxRegion(bounds, '© OpenStreetMap contributors')

/** Opens services around the town's map; time passes only with the machine. */
export function openTown(
  options: Partial<OutsideMapsOptions>,
  {
    embedded = townMap(),
    meter = countingMeter(),
    now = () => performance.now(),
  }: Partial<Parameters<typeof openOutsideMaps>[0]> = {},
) {
  const warnings: string[] = []
  const log = { warn: (_fields: object, message: string) => void warnings.push(message) }
  const opened = openOutsideMaps({
    places: null,
    routes: null,
    area: null,
    ...options,
    embedded,
    meter,
    now,
    log,
  })
  return { ...opened, warnings }
}

const roadTile = gzipSync(
  fromGeojsonVt({
    road: {
      features: [
        {
          type: 2,
          geometry: [
            [
              [0, 0],
              [4096, 4096],
            ],
          ],
          tags: { class: 'residential', name: 'Calle Yi' },
        },
      ],
    } as unknown as GeoJSONVTTile,
  }),
)

/** A point of the tile and, if possible, of the box. */
function middleOf(z: number, x: number, y: number, [west, south, east, north]: typeof bounds): LatLng {
  const side = 2 ** z
  const lngAt = (column: number) => (column / side) * 360 - 180
  const latAt = (row: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / side))) * 180) / Math.PI
  const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value))
  return {
    lat: clamp((south + north) / 2, latAt(y + 1), latAt(y)),
    lng: clamp((west + east) / 2, lngAt(x), lngAt(x + 1)),
  }
}
