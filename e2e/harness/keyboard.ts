import type { Locator, Page } from 'playwright-core'
import { patience } from './patience.ts'

// Saved places of a demo's past have three stops each.
const mostStops = 400
const hasFocus = (element: Element) => element === document.activeElement

/** Presses a key where the focus is. */
export function press(page: Page, key: string): Promise<void> {
  return page.keyboard.press(key)
}

/** Goes on by Tab until the focus is there. Throws where no way of Tabs leads. */
export async function goTo(target: Locator): Promise<void> {
  await target.waitFor(patience)
  const page = target.page()
  for (let stop = 0; stop < mostStops; stop++) {
    if (await target.evaluate(hasFocus)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never comes to ${String(target)}`)
}

/** Goes to a field and types over what stands in it. */
export async function write(target: Locator, text: string): Promise<void> {
  await goTo(target)
  await target.page().keyboard.press('ControlOrMeta+A')
  await target.page().keyboard.type(text)
}

/** Goes to a button or link and presses Enter. */
export async function pressOn(target: Locator): Promise<void> {
  await goTo(target)
  await target.page().keyboard.press('Enter')
}

/** Goes to a file field and gives it a file. The browser's own window for files is left out: it takes the keys now and then. */
export async function chooseFile(
  target: Locator,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  await goTo(target)
  await target.setInputFiles(file)
}
