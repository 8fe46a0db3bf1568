import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { patience } from './patience.ts'

const car = '[class*="carMarker"]'

async function centre(page: Page, selector: string): Promise<{ x: number; y: number } | null> {
  const box = await page
    .locator(selector)
    .first()
    .boundingBox({ timeout: 1_000 })
    .catch(() => null)
  return box && { x: box.x + box.width / 2, y: box.y + box.height }
}

/**
 * Distance of the car on a trip's map from its pickup or drop, relative to the distance between the two, so that
 * zooming and panning do not change it; null without a car.
 */
export async function carDistance(page: Page, to: 'pickup' | 'drop'): Promise<number | null> {
  const pin = (kind: string) => centre(page, `[class*="pin"][data-kind="${kind}"]`)
  const [at, pickup, drop] = await Promise.all([centre(page, car), pin('pickup'), pin('drop')])
  if (!at || !pickup || !drop) return null
  const target = to === 'pickup' ? pickup : drop
  return Math.hypot(at.x - target.x, at.y - target.y) / Math.hypot(pickup.x - drop.x, pickup.y - drop.y)
}

const drawnBytes = 60_000

/** Waits until the map shows streets: a screenshot of plain ground compresses to far fewer bytes. */
export async function mapDrawn(page: Page): Promise<void> {
  const canvas = page.locator('canvas.maplibregl-canvas')
  await canvas.waitFor()
  await expect.poll(async () => (await canvas.screenshot()).length, patience).toBeGreaterThan(drawnBytes)
}
