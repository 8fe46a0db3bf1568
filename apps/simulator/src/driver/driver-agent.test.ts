import { expect, test, vi } from 'vitest'
import { AskedDrivers } from './asked-drivers.ts'
import { DriverAgent, type DriverContext } from './driver-agent.ts'

const here = { lat: -34.9065, lng: -56.1996 }

/** Starts a simulated driver with a fake API and live link. */
async function startDriver() {
  const accepted: number[] = []
  let ask = (_data: unknown) => {}
  const api = {
    tracking: {
      state: async () => ({ location: { ...here, bearing: 0 }, driverActiveStatus: true }),
      report: async () => {},
    },
    bookings: {
      accept: async () => {
        accepted.push(Date.now())
        return null
      },
    },
  }
  const live = {
    subscribe: (topic: string, listener: { event(data: unknown): void }) => {
      if (topic === 'requests') ask = listener.event
    },
  }
  const client = { api, live, clock: { speed: 1, now: () => Date.now() } }
  const world = { client, asked: new AskedDrivers(), log: () => {} } as unknown as DriverContext
  await new DriverAgent('simulated', world).start()
  const request = (asked: number) => {
    const now = Date.now()
    const times = { requested_at: now, expires_at: now + 30_000 }
    ask({ put: { id: 'trip', request: { ...times, pickupKm: 1, pickupS: 60, asked } } })
    return now
  }
  return { accepted, request }
}

test.each([
  ['only this driver asked -> accepted within 5 s', 1, 0, 5_000],
  ['real driver also asked -> accepted after 28 s', 2, 28_000, 30_000],
])('request: %s', async (_case, drivers, soonest, latest) => {
  vi.useFakeTimers()
  try {
    const { accepted, request } = await startDriver()
    const askedAt = request(drivers)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(accepted).toHaveLength(1)
    expect((accepted[0] ?? 0) - askedAt).toBeGreaterThan(soonest)
    expect((accepted[0] ?? 0) - askedAt).toBeLessThan(latest)
  } finally {
    vi.useRealTimers()
  }
})
