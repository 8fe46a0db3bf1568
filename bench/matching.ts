import { pathToFileURL } from 'node:url'
import { batchDrivers, matchBatch } from '@hansom/domain/dispatch/batch'
import type { LatLng } from '@hansom/domain/geo/point'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { embeddedDriverIndex } from '../apps/server/src/adapters/driver-index/embedded.ts'
import { testMaps } from '../apps/server/src/adapters/maps/test-maps.fixture.ts'
import { against, type Line } from './limits.ts'

const riderCount = 1_000
const driverCount = 2_000
const rounds = 7
const limitMs = 500

/**
 * One batch of a city: 1,000 riders and 2,000 drivers over each rider's 20 nearest, on the packaged map. Measures the
 * driving times and the matching; the median of seven batches.
 */
export async function run(): Promise<Line[]> {
  const maps = await testMaps()
  const random = randomFrom(1)
  const { center } = maps.region
  const place = (): LatLng => {
    for (;;) {
      const at = { lat: center.lat + (random() - 0.5) / 10, lng: center.lng + (random() - 0.5) / 7 }
      if (maps.covers(at)) return at
    }
  }
  const drivers = Array.from({ length: driverCount }, place)
  const riders = Array.from({ length: riderCount }, place)
  const index = embeddedDriverIndex()
  for (const [number, at] of drivers.entries()) {
    const state = { at: 0, heardAt: 0, bearing: null, eligible: true, car_type_id: 'any' }
    index.upsert({ id: String(number), ...at, ...state })
  }
  const near = await Promise.all(
    riders.map((rider) => index.nearest(rider, { count: batchDrivers, radiusKm: 30 })),
  )
  const pairs = near.flatMap((list, rider) => list.map(({ id }): [number, number] => [Number(id), rider]))

  const spent = { times: [] as number[], matching: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    const times = await maps.driveTimePairs(drivers, riders, pairs)
    const timed = performance.now()
    let at = 0
    const waiting = near.map((list, rider) => ({
      booking: String(rider),
      pickup: riders[rider] as LatLng,
      waitedS: rider % 120,
      figures: defaultSettings.dispatch,
      candidates: list.flatMap(({ id }) => {
        const time = times[at++]
        return time ? [{ id, location: drivers[Number(id)] as LatLng, arrivalS: time.durationS }] : []
      }),
    }))
    const matches = matchBatch(waiting)
    if (matches.filter(({ driver }) => driver !== null).length < riderCount * 0.9)
      throw new Error('riders were left without a driver')
    spent.times.push(timed - started)
    spent.matching.push(performance.now() - timed)
  }
  const [times, matching] = [median(spent.times), median(spent.matching)]
  const size = '1,000 riders × 2,000 drivers, 20 nearest'
  return [
    against(
      `batch of ${size}: times ${Math.round(times)} ms + matching ${Math.round(matching)} ms`,
      'ms',
      times + matching,
      limitMs,
    ),
  ]
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[(values.length - 1) / 2] as number

/** The same numbers in every run, from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const line of await run()) console.log(JSON.stringify(line))
}
