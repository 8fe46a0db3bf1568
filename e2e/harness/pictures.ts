import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'e2e', 'screenshots')

/** A slow machine takes long to draw a map. */
const timeout = 120_000

/** HANSOM_PICTURES=1 enables screenshots. */
export const picturesWanted = process.env.HANSOM_PICTURES === '1'

/** Takes a screenshot for manual review in e2e/screenshots, which is not committed; only with HANSOM_PICTURES=1. */
export async function takePicture(page: Page, name: string, fullPage = false): Promise<void> {
  if (picturesWanted) await savePicture(page, name, fullPage)
}

/** Takes a screenshot of a failed journey in e2e/screenshots. Errors are ignored, so as not to hide the failure. */
export async function takeFailurePicture(page: Page, name: string): Promise<void> {
  await savePicture(page, `failed-${name}`, false).catch(() => {})
}

/** Runs steps on a page; takes a screenshot of it when one fails. */
export async function withFailurePicture(
  page: Page,
  name: string,
  steps: () => Promise<void>,
): Promise<void> {
  try {
    await steps()
  } catch (error) {
    await takeFailurePicture(page, name)
    throw error
  }
}

async function savePicture(page: Page, name: string, fullPage: boolean): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage, timeout })
}

/** Retakes the README's screenshot; only with HANSOM_PICTURES=1. */
export async function takeReadmePicture(page: Page): Promise<void> {
  if (!picturesWanted) return
  const images = join(root, 'docs', 'images')
  mkdirSync(images, { recursive: true })
  await page.screenshot({ path: join(images, 'live-trip.png'), timeout })
}
