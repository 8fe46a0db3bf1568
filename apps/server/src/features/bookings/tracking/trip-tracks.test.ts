import type { TrackPoint } from '@hansom/domain/fare/track'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import type { Maps } from '../../../adapters/maps/port.ts'
import { createTripTracks } from './trip-tracks.ts'

/** Three positions over 1.1 km, a minute and a half apart: two gaps. */
const stored: TrackPoint[] = [0, 1, 2].map((step) => ({
  lat: -34.9 + step * 0.005,
  lng: -56.17,
  at: 1_000_000 + step * 90_000,
  status: 'STARTED',
}))
const straightKm = greatCircleKm(stored[0] as LatLng, stored[2] as LatLng)

function tracksWith(match: Maps['match'], ownKm: number | null = 0.7) {
  const calls = { match: 0, own: 0, outside: 0, warnings: 0 }
  const drive = (distanceKm: number) => ({ distanceKm, durationS: 90 })
  const points = [...stored]
  const pool = { query: async () => ({ rows: points }) } as unknown as Pool
  const tracks = createTripTracks(
    pool,
    {
      match: async (track) => {
        calls.match++
        return match(track)
      },
      driveTimeTable: async () => {
        calls.own++
        return [[ownKm === null ? null : drive(ownKm)]]
      },
      driveTimes: async () => {
        calls.outside++
        return [drive(0.8)]
      },
    },
    { warn: () => calls.warnings++ },
  )
  return { tracks, calls, points }
}

const matchOf = (distanceKm: number) => async () => ({
  distanceKm,
  line: [],
  unmatchedKm: 0,
  breaks: [],
  matchedShare: 1,
})

test('measure: reliable match -> its distance, no gap is routed', async () => {
  const { tracks, calls } = tracksWith(matchOf(straightKm * 1.1))
  const length = await tracks.measurer()('b', 2_000_000, null)
  expect(length).toMatchObject({ distance: straightKm * 1.1, distance_source: 'matched' })
  expect(calls).toEqual({ match: 1, own: 0, outside: 0, warnings: 0 })
})

test('measure: match with a break in the track -> the route across it, from our own streets', async () => {
  const [from] = stored as [TrackPoint]
  const to = { ...from, lat: from.lat + 0.001, at: from.at + 90_000 }
  const unmatchedKm = greatCircleKm(from, to)
  const broken = { distanceKm: 1, line: [], unmatchedKm, breaks: [{ from, to }], matchedShare: 1 }
  const { tracks, calls } = tracksWith(async () => broken, 0.2)
  const length = await tracks.measurer()('b', 2_000_000, null)
  expect(length).toMatchObject({ distance: 1.2, distance_source: 'matched', distance_unmatched: 0.2 })
  expect(calls).toEqual({ match: 1, own: 1, outside: 0, warnings: 0 })
})

test('measure: match fails -> warning, the track with gaps from our own streets', async () => {
  const { tracks, calls } = tracksWith(async () => {
    throw new Error('broken')
  })
  const length = await tracks.measurer()('b', 2_000_000, null)
  expect(length).toMatchObject({ distance: 1.4, distance_source: 'track' })
  expect(calls).toEqual({ match: 1, own: 2, outside: 0, warnings: 1 })
})

test('measure: unreliable match, gaps our streets do not connect -> routes of the outside service', async () => {
  const { tracks, calls } = tracksWith(matchOf(9), null)
  expect(await tracks.measurer()('b', 2_000_000, null)).toMatchObject({ distance: 1.6 })
  expect(calls).toEqual({ match: 1, own: 2, outside: 2, warnings: 0 })
})

test('measure: retries of a command -> matched again only after new positions', async () => {
  const { tracks, calls, points } = tracksWith(matchOf(straightKm))
  const measure = tracks.measurer()
  const first = await measure('b', 2_000_000, null)
  expect(await measure('b', 2_000_000, null)).toEqual(first)
  expect(calls.match).toBe(1)
  points.push({ ...(stored[2] as TrackPoint), at: 1_200_000 })
  await measure('b', 2_000_000, null)
  expect(calls.match).toBe(2)
})
