import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, ElementContext, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * All rules enabled by default. Details of passed rules are omitted, because collecting them takes longer than the
 * check.
 */
const wanted: RunOptions = { resultTypes: ['violations'] }

/**
 * Base UI's focus guards around an open menu or popover are focusable and hidden from screen readers on purpose: they pass
 * the focus on at once, which `back-office-shell` tests. axe reports them (dequelabs/axe-core#4832).
 */
const outside = { exclude: ['[data-base-ui-focus-guard]'] }

/** Violations found by axe-core on the current page: rule, element and summary. */
export async function findBarriers(page: Page): Promise<string[]> {
  // What is being loaded again is dimmed for a moment, and colors in transition give wrong contrasts.
  await page
    .waitForFunction(() => !document.querySelector('[aria-busy="true"]'), undefined, { timeout: 5_000 })
    .catch(() => {})
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        // Infinite and scroll-driven animations never finish.
        .filter(({ timeline }) => timeline === document.timeline)
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
        .map(({ finished }) => finished.catch(() => {})),
    ),
  )
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe)
  const { violations } = await page.evaluate(
    ([context, options]) =>
      (
        window as unknown as {
          axe: { run(context: ElementContext, options: RunOptions): Promise<AxeResults> }
        }
      ).axe.run(context, options),
    [outside, wanted] as const,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id}: ${target.join(' ')} (${failureSummary?.split('\n')[1]?.trim()})`,
    ),
  )
}

/** Horizontal overflow of the page in pixels. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
