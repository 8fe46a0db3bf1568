import type { Locator, Page } from 'playwright-core'
import { patience } from './patience.ts'

// The demo's saved places have three tab stops each.
const maxStops = 400
const hasFocus = (element: Element) => element === document.activeElement

/** Presses a key at the current focus. */
export function press(page: Page, key: string): Promise<void> {
  return page.keyboard.press(key)
}

/** Presses Tab until the target has the focus. Throws if it cannot be reached. */
export async function goTo(target: Locator): Promise<void> {
  await target.waitFor(patience)
  const page = target.page()
  for (let stop = 0; stop < maxStops; stop++) {
    if (await target.evaluate(hasFocus)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`cannot reach ${String(target)} by Tab`)
}

/** Focuses a field and replaces its text. */
export async function write(target: Locator, text: string): Promise<void> {
  await goTo(target)
  await target.page().keyboard.press('ControlOrMeta+A')
  await target.page().keyboard.type(text)
}

/** Focuses a button or link and presses Enter. */
export async function pressOn(target: Locator): Promise<void> {
  await goTo(target)
  await target.page().keyboard.press('Enter')
}

/** Focuses a file field and sets its file, without the browser's file chooser, which sometimes swallows keys. */
export async function chooseFile(
  target: Locator,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  await goTo(target)
  await target.setInputFiles(file)
}
