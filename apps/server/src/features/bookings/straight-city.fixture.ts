import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { Maps } from '../../adapters/maps/port.ts'
import type { DispatchFacts } from './dispatch/dispatch-facts.ts'
import type { TripTracks } from './tracking/trip-tracks.ts'

/** The center of the test city. */
export const centre = { lat: -34.9, lng: -56.17 }
export const pickup = { ...centre, add: 'Plaza Independencia' }
export const drop = { lat: -34.88, lng: -56.12, add: 'Parque Batlle' }

/** What strategies of dispatch may read: nothing. Waves with the default figures need none of it. */
const noDispatchFacts: DispatchFacts = {
  soonFree: async () => [],
  keep: async () => true,
  askedForOthers: async () => new Set(),
  idleTimes: async () => () => 0,
  waiting: async () => [],
  free: async () => new Map(),
  record: async () => {},
}

/** What commands and waves need beside a store, people and time: nothing that answers, and none of it is a service. */
export const quietDeps = {
  outbox: { wake: () => {} },
  dispatchRules: { current: async () => [] },
  dispatchFacts: noDispatchFacts,
  log: { error: () => {} },
  startedElapsed: -60_000,
  cardAvailable: () => false,
  callNumbers: null,
  applied: () => {},
  promos: { findByCode: async () => null },
  cancelReasons: { all: async () => [] },
  tracks: {
    measurer: () => async () => null,
    lastUntil: async () => null,
    whileWaiting: async () => [],
    since: async () => [],
  } as unknown as TripTracks,
}

/** A map without streets: every route is a straight line at 30 km/h. */
export function straightMaps(): Maps {
  const drive = (points: LatLng[]) => {
    let distanceKm = 0
    points.forEach((point, index) => {
      const before = points[index - 1]
      if (before) distanceKm += greatCircleKm(before, point)
    })
    return { distanceKm, durationS: (distanceKm / 30) * 3600 }
  }
  const covers = (point: LatLng) => greatCircleKm(point, centre) < 100
  return {
    region: {
      name: 'Straight',
      countryCode: 'UY',
      id: 'straight',
      timezone: 'America/Montevideo',
      currency: 'UYU',
      languages: ['es'],
      center: centre,
      bounds: [-57, -35.5, -55, -34],
      attribution: '',
    },
    contents: [],
    tileVersion: '1',
    tileZooms: { min: 8, max: 16 },
    search: async () => [],
    place: async () => null,
    address: async ({ lat, lng }) => ({ id: '1', label: 'Somewhere', detail: '', kind: 'street', lat, lng }),
    covers,
    route: async (points) => (points.every(covers) ? { ...drive(points), polyline: points } : null),
    driveTimes: async (froms, to) => froms.map((from) => drive([from, to])),
    driveTimePairs: async (froms, tos, pairs) =>
      pairs.map(([from, to]) => drive([froms[from] as LatLng, tos[to] as LatLng])),
    driveTimeTable: async (froms, tos) => froms.map((from) => tos.map((to) => drive([from, to]))),
    alternatives: async (from, to) => [{ ...drive([from, to]), polyline: [from, to] }],
    match: async (points) => ({
      distanceKm: drive(points).distanceKm,
      line: points,
      unmatchedKm: 0,
      breaks: [],
      matchedShare: 1,
    }),
    tile: async () => null,
  }
}
