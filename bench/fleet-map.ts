import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import type { Line } from './limits.ts'
import { atShare, withBenchPage } from './page-frames.ts'

/** What the issue allows, ms of work of the page's thread per frame. */
const limitMs = 8
const measuredMs = 15_000
const desk = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

interface FleetMapLine extends Line {
  /** The 95th percentile, ms. */
  ours: number
  p50_ms: number
  p99_ms: number
  /** The frame with the most work, ms. */
  most_ms: number
}

/**
 * Work of the page's thread per frame (CPU time) on the dashboard's map with 5,000 drivers of whom 2,000 move every two
 * seconds: as it opens, at street zoom where the cars glide, and on a phone. Its peers draw the same drivers as one marker
 * each, and as one clustered GeoJSON source.
 */
export async function run(): Promise<FleetMapLine[]> {
  return withBenchPage('fleet-map-bench.tsx', { '/me': null }, async (open) => {
    const measure = async (path: string, viewport: typeof desk, steps = 0) => {
      const { page, frames } = await open(path, viewport)
      await page.waitForTimeout(6_000)
      await zoomIn(page, steps)
      await page.waitForTimeout(3_000)
      const found = await frames(measuredMs)
      await page.close()
      return found
    }
    const markers = await measure('/?as=markers', desk)
    const source = await measure('/?as=source', desk)
    const ours = {
      city: await measure('/', desk),
      streets: await measure('/', desk, 5),
      'phone, city': await measure('/', phone),
    }
    return [
      ...Object.entries(ours).map(([name, frames]) => lineOf(name, frames, limitMs, 'the limit')),
      lineOf(
        'city',
        ours.city,
        atShare(markers, 0.95),
        `markers, p99 ${atShare(markers, 0.99)}, most ${atShare(markers, 1)}`,
      ),
      lineOf(
        'city',
        ours.city,
        atShare(source, 0.95),
        `GeoJSON, p99 ${atShare(source, 0.99)}, most ${atShare(source, 1)}`,
      ),
    ]
  })
}

async function zoomIn(page: Page, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    await page.getByRole('button', { name: 'map.zoom_in' }).click()
    await page.waitForTimeout(800)
  }
}

function lineOf(name: string, frames: readonly number[], peer: number, peerName: string): FleetMapLine {
  const ours = atShare(frames, 0.95)
  return {
    job: `fleet-map, ${name}`,
    unit: 'ms/frame',
    ours,
    peer,
    peer_name: peerName,
    ratio: Math.round((peer / Math.max(0.1, ours)) * 100) / 100,
    p50_ms: atShare(frames, 0.5),
    p99_ms: atShare(frames, 0.99),
    most_ms: atShare(frames, 1),
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const line of await run()) console.log(JSON.stringify(line))
}
