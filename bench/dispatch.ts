import { pathToFileURL } from 'node:url'
import type { Line } from './limits.ts'
import { atShare, withBenchPage } from './page-frames.ts'

/** What the issue allows, ms of work of the page's thread per frame. */
const limitMs = 8
const measuredMs = 20_000

interface DispatchLine extends Line {
  /** The 99th percentile, and the frame with the most work, ms. */
  p99_ms: number
  most_ms: number
}

/**
 * Work of the page's thread per frame (CPU time, 95th percentile) on the dispatch screen with 2,000 drivers who all move
 * every two seconds and 500 open bookings of which two change every second: with the queue only, and with an open booking.
 */
export async function run(): Promise<DispatchLine[]> {
  const answers = {
    '/candidates': candidates,
    '/me': null,
    '/hold': { ok: true },
  }
  return withBenchPage('dispatch-bench.tsx', answers, async (open) => {
    const { page, frames } = await open('/', { width: 1440, height: 900 })
    await page.waitForTimeout(5_000)
    const queue = await frames(measuredMs)
    await page.locator('[data-booking]').first().click()
    await page.waitForTimeout(3_000)
    return [lineOf('queue', queue), lineOf('open booking', await frames(measuredMs))]
  })
}

function lineOf(name: string, frames: readonly number[]): DispatchLine {
  const at = (share: number) => atShare(frames, share)
  return {
    job: `dispatch, ${name}`,
    unit: 'ms/frame',
    ours: at(0.95),
    peer: limitMs,
    peer_name: 'the limit',
    ratio: Math.round((limitMs / Math.max(0.1, at(0.95))) * 100) / 100,
    p99_ms: at(0.99),
    most_ms: at(1),
  }
}

const candidates = Array.from({ length: 20 }, (_, index) => ({
  id: `driver-${1900 + index}`,
  name: `Driver number ${1900 + index}`,
  vehicle_number: `S${index}`,
  rating: 4.8,
  lat: -34.89 + index / 500,
  lng: -56.16,
  freeS: 0,
  arrivalS: 60 * (index + 1),
  km: index,
  asked: null,
  blocked: null,
}))

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const line of await run()) console.log(JSON.stringify(line))
}
