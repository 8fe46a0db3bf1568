import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRedis } from './adapters/server-bus/test-redis.ts'
import { FaultCity } from './fault-city.fixture.ts'
import { expectInvariants, followTrips } from './test-invariants.ts'
import type { Journey } from './test-journeys.ts'

/** Trips without a pause on three servers: their memory must stay what it is after the first minutes. */

const minutes = Number(process.env.SOAK_MINUTES ?? 30)
const people = 16
const everyMs = 2_000
const megabyte = 1024 * 1024

describe.skipIf(!hasRedis)('three servers', () => {
  let city: FaultCity
  beforeAll(async () => {
    city = await FaultCity.open()
  }, 180_000)
  afterAll(() => city.close(), 120_000)

  test(`${minutes} minutes of trips -> memory grows by at most 5 %, nothing lost`, async () => {
    const journeys = await city.beginJourneys(people)
    const followers = journeys.map((journey) => followTrips(city.calls.origin, journey))
    let isOver = false
    const drive = async (journey: Journey) => {
      while (!isOver) await journey.drive()
    }
    const driven = Promise.all(journeys.map(drive))
    const samples: number[] = []
    for (const end = performance.now() + minutes * 60_000; performance.now() < end; ) {
      await wait(everyMs)
      samples.push(Math.max(...city.servers.map(({ pid }) => residentMb(pid))))
    }
    isOver = true
    await driven
    await expectInvariants(city.app, journeys)
    for (const follower of followers) await follower.expectAll()
    // The first sixth fills caches, pools and the heap.
    const sixth = Math.floor(samples.length / 6)
    const [early, late] = [mean(samples.slice(sixth, 2 * sixth)), mean(samples.slice(-sixth))]
    const trips = journeys.reduce((sum, journey) => sum + journey.answers.length / 7, 0)
    console.table({
      soak: { trips: Math.round(trips), early_mb: early, late_mb: late, grew: late / early - 1 },
    })
    expect(late / early).toBeLessThanOrEqual(1.05)
  }, 7_200_000)
})

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length

/** Memory of a process, MB. */
const residentMb = (pid: number | undefined) =>
  (Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / megabyte
