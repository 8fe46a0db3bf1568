import type { Page } from 'playwright-core'

const key = 'history-log'

/**
 * Records the presses, the changes of the history and the documents of a window from now on, for the message of a journey that
 * ends on the wrong page.
 */
export async function recordHistory(page: Page): Promise<void> {
  await page.addInitScript((key) => {
    // A document that is left must not take the log along.
    const note = (...what: unknown[]) => {
      const before = sessionStorage.getItem(key) ?? ''
      const line = [Math.round(performance.timeOrigin + performance.now()), ...what, location.pathname]
      sessionStorage.setItem(key, `${before}${line.join(' ')}\n`.slice(-8_000))
    }
    const modals = (state: { modals?: { visit: string; depth: number } } | null) =>
      state?.modals ? `modals ${state.modals.depth} of ${state.modals.visit.slice(-4)}` : 'page'
    for (const method of ['pushState', 'replaceState'] as const) {
      const own = History.prototype[method]
      History.prototype[method] = function (state, unused, url) {
        own.call(this, state, unused, url)
        note(method, modals(state))
      }
    }
    const { go } = History.prototype
    History.prototype.go = function (delta) {
      note('go', delta)
      go.call(this, delta)
    }
    addEventListener('popstate', ({ state }) => note('pop', modals(state)), true)
    addEventListener('beforeunload', () => note('unload'), true)
    addEventListener(
      'click',
      ({ target }) => note('click', target instanceof Element ? target.textContent.slice(0, 30) : ''),
      true,
    )
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    note('document', entry?.type)
  }, key)
}

/** What was recorded, a line each with the time (epoch ms) and the path; empty without `recordHistory`. */
export const recordedHistory = (page: Page): Promise<string> =>
  page.evaluate((key) => sessionStorage.getItem(key) ?? '', key)
