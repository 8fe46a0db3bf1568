import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'e2e', 'screenshots')

/** A busy machine draws a map slowly. */
const timeout = 120_000

/** HANSOM_PICTURES=1 asks for pictures. */
export const picturesWanted = process.env.HANSOM_PICTURES === '1'

/** A picture for the eye, in e2e/screenshots, which is not kept; taken only when HANSOM_PICTURES is 1. */
export async function takePicture(page: Page, name: string, whole = false): Promise<void> {
  if (picturesWanted) await keepPicture(page, name, whole)
}

/** What a page looked like when its journey failed, in e2e/screenshots. It must not hide the failure. */
export async function takeFailurePicture(page: Page, name: string): Promise<void> {
  await keepPicture(page, `failed-${name}`, false).catch(() => {})
}

async function keepPicture(page: Page, name: string, whole: boolean): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: whole, timeout })
}

/** The picture of the README; taken anew only when HANSOM_PICTURES is 1. */
export async function takeReadmePicture(page: Page): Promise<void> {
  if (!picturesWanted) return
  const images = join(root, 'docs', 'images')
  mkdirSync(images, { recursive: true })
  await page.screenshot({ path: join(images, 'live-trip.png'), timeout })
}
