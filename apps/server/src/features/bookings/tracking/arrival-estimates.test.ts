import { expect, test } from 'vitest'
import type { DriveTime } from '../../../adapters/maps/port.ts'
import { silentLog } from '../../../platform/log/log.ts'
import { centre, drop, pickup } from '../straight-city.fixture.ts'
import type { ActiveTrip } from './active-trips.ts'
import { ArrivalEstimates } from './arrival-estimates.ts'

const trip: ActiveTrip = {
  booking: 'b',
  version: 1,
  driver: 'd',
  status: 'STARTED',
  started: 0,
  ended: null,
  pickup,
  drop,
}

/** A map service that returns these results in order and counts the calls; our own streets do not cover the trip. */
function mapOf(...answers: (number | null | Error)[]) {
  const asked = { times: 0 }
  const driveTimes = async (): Promise<(DriveTime | null)[]> => {
    const answer = answers[Math.min(asked.times++, answers.length - 1)] as number | null | Error
    if (answer instanceof Error) throw answer
    return [answer === null ? null : { distanceKm: 1, durationS: answer }]
  }
  return {
    asked,
    estimates: new ArrivalEstimates({ driveTimes, driveTimeTable: async () => [[null]] }, silentLog()),
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test.each([
  ['finds no route', null],
  ['fails', new Error('map is unavailable')],
])('secondsLeft: map %s once -> keeps the estimate, retries later', async (_name, trouble) => {
  const { asked, estimates } = mapOf(600, trouble, 300)
  expect(await estimates.secondsLeft(trip, centre, 0)).toBe(600)
  expect(await estimates.secondsLeft(trip, centre, 11_000)).toBe(600)
  await settled()
  expect(await estimates.secondsLeft(trip, centre, 12_000)).toBe(600)
  expect(asked.times).toBe(2)
  await estimates.secondsLeft(trip, centre, 22_000)
  await settled()
  expect(asked.times).toBe(3)
  expect(await estimates.secondsLeft(trip, centre, 23_000)).toBe(300)
})

test('secondsLeft: trip on our own streets -> no call to a map service', async () => {
  const driveTimes = async () => {
    throw new Error('asked the service')
  }
  const driveTimeTable = async () => [[{ distanceKm: 1, durationS: 240 }]]
  const estimates = new ArrivalEstimates({ driveTimes, driveTimeTable }, silentLog())
  expect(await estimates.secondsLeft(trip, centre, 0)).toBe(240)
})

test.each([
  ['finds no route', null],
  ['fails', new Error('map is unavailable')],
])(
  'secondsLeft: map %s on the first call -> null without more calls, retried later',
  async (_name, trouble) => {
    const { asked, estimates } = mapOf(trouble, 500)
    for (const now of [0, 1_000, 9_000]) expect(await estimates.secondsLeft(trip, centre, now)).toBeNull()
    expect(asked.times).toBe(1)
    expect(await estimates.secondsLeft(trip, centre, 11_000)).toBeNull()
    await settled()
    expect(await estimates.secondsLeft(trip, centre, 12_000)).toBe(500)
    expect(asked.times).toBe(2)
  },
)

test('secondsLeft: positions during the first call -> no more calls, null at once', async () => {
  const { asked, estimates } = mapOf(500)
  const first = estimates.secondsLeft(trip, centre, 0)
  expect(await estimates.secondsLeft(trip, centre, 1)).toBeNull()
  expect(await first).toBe(500)
  expect(asked.times).toBe(1)
})

test('forget: route arrives after the trip ended -> not stored', async () => {
  const { estimates } = mapOf(600, 500)
  await estimates.secondsLeft(trip, centre, 0)
  expect(estimates.size).toBe(1)
  await estimates.secondsLeft(trip, centre, 11_000)
  estimates.forget('d')
  await settled()
  expect(estimates.size).toBe(0)
})
