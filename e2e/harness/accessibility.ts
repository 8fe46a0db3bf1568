import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Every rule that is on by itself. What is in order is not told in detail: that takes longer than looking. */
const wanted: RunOptions = { resultTypes: ['violations'] }

/** What axe-core finds wrong on the page as it stands: rule, element, and what it says about it. */
export async function findBarriers(page: Page): Promise<string[]> {
  // A colour that is still fading is no colour of the page.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        // What goes on for ever, or goes with the scrolling, never comes to an end by itself.
        .filter(({ timeline }) => timeline === document.timeline)
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => {})),
    ),
  )
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const { violations } = await page.evaluate(
    (options) =>
      (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(options),
    wanted,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id}: ${target.join(' ')} (${failureSummary?.split('\n')[1]?.trim()})`,
    ),
  )
}

/** How many pixels of the page lie beyond the right or left edge of the window. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
