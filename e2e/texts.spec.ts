import { readdirSync } from 'node:fs'
import { homeOf, type ScreenPath, screenRoles } from '@hansom/domain/access/screens'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, enterAs } from './harness/accounts.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { patience } from './harness/patience.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

const groups = readdirSync(new URL('../packages/domain/src/languages/packs/en', import.meta.url))
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.replace('.json', ''))
/** A text key instead of a text; email addresses such as `driver.demo@…` and file names do not match. */
const key = new RegExp(`(?<![\\w./@-])(${groups.join('|')})\\.[a-zA-Z]\\w*(?![\\w./@-])`)

let server: RunningServer
let browser: Browser

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  browser = await openBrowser()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

const viewers: (Account | 'visitor')[] = ['visitor', 'rider', 'driver', 'fleet', 'admin']

/** The pages a viewer may open that have no parameters. */
function pagesOf(viewer: Account | 'visitor'): ScreenPath[] {
  const role = viewer === 'fleet' ? 'fleetadmin' : viewer
  return (Object.keys(screenRoles) as ScreenPath[]).filter((path) => {
    const roles: readonly string[] | null = screenRoles[path]
    return !path.includes('$') && (roles === null ? viewer === 'visitor' : roles.includes(role))
  })
}

const settled = async (page: Page) => {
  await page.getByRole('main').getByRole('heading').first().waitFor(patience)
  await expect.poll(() => page.locator('[aria-busy="true"]').count(), patience).toBe(0)
}

/** All visible and accessible text. */
const textsOf = (page: Page) =>
  page.evaluate(() => {
    const names = ['aria-label', 'placeholder', 'title', 'alt']
    const attributes = Array.from(document.querySelectorAll('*')).flatMap((element) =>
      names.map((name) => element.getAttribute(name) ?? ''),
    )
    return [document.title, document.body.innerText, ...attributes].join('\n')
  })

/** HANSOM_ALL=1 tests Arabic, too, as in screens.spec.ts: which texts a page needs is the same in every language. */
const locales = process.env.HANSOM_ALL === '1' ? ['en', 'ar'] : ['en']

describe.each(locales)('texts in %s', (locale) => {
  it.each(viewers)(
    '%s: every page -> no raw text keys, and sent with its texts',
    async (viewer) => {
      const { context, page, problems } = await openWindow(browser, { url: server.url, locale })
      const wrong: string[] = []
      try {
        if (viewer !== 'visitor') await enterAs(context, viewer)
        for (const path of pagesOf(viewer)) {
          await page.goto(path)
          await settled(page)
          const shown = key.exec(await textsOf(page))?.[0]
          if (shown) wrong.push(`${path} shows ${shown}`)
          wrong.push(...problems.splice(0).map((problem) => `${path}: ${problem}`))
        }
        expect(wrong).toEqual([])
      } finally {
        await context.close()
      }
    },
    300_000,
  )
})

it('page opened from another -> its texts load with its code', async () => {
  const { context, page, problems } = await openWindow(browser, { url: server.url })
  try {
    await enterAs(context, 'admin')
    const sent: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.startsWith('/api/v1/languages/')) sent.push(searchParams.get('texts') ?? 'all')
    })
    await page.goto(homeOf.admin)
    await settled(page)
    await page.evaluate(() => {
      // Every text that was on the page, even briefly.
      const seen = new Set<string>()
      Object.assign(window, { seen })
      new MutationObserver(() => seen.add(document.body.innerText)).observe(document.body, {
        childList: true,
        characterData: true,
        subtree: true,
      })
    })
    await page.getByRole('link', { name: 'Cancellation reasons' }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Cancellation reasons' }).waitFor(patience)
    await settled(page)
    const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])
    expect(seen.map((text) => key.exec(text)?.[0]).filter(Boolean)).toEqual([])
    expect(sent.length).toBeGreaterThan(0)
    expect(sent.join(',').split(',')).toContain('table')
    expect(sent).not.toContain('all')
    expect(problems).toEqual([])
  } finally {
    await context.close()
  }
})

it.each([
  ['visitor', '/'],
  ['driver', '/bookings'],
  ['rider', '/trip/00000000-0000-0000-0000-000000000000'],
] as const)('%s at %s: first load -> small, few files, compressed and cached', async (viewer, path) => {
  const context = await browser.newContext({ baseURL: server.url })
  try {
    if (viewer !== 'visitor') await enterAs(context, viewer)
    const answer = await context.request.get(path, { headers: { 'accept-encoding': 'br' } })
    expect(answer.headers()['content-encoding']).toBe('br')
    const sent = Number(answer.headers()['content-length'])
    expect(sent).toBeGreaterThan(5_000)
    expect(sent).toBeLessThan(24_000)
    const files = [...(await answer.text()).matchAll(/(?:href|src)="(\/assets\/[^"]+\.(?:js|css))"/g)]
    expect(files.length).toBeGreaterThan(2)
    // Each file costs a round trip; a trip once needed 109.
    expect(files.length).toBeLessThan(16)
    for (const [, file = ''] of files) {
      const {
        'content-encoding': encoding,
        'cache-control': caching,
        vary,
      } = (await context.request.get(file, { headers: { 'accept-encoding': 'br' } })).headers()
      const size = Number((await context.request.head(file)).headers()['content-length'] ?? 0)
      expect([file, caching], file).toEqual([file, 'public, max-age=31536000, immutable'])
      if (size >= 1024)
        expect([encoding, vary], file).toEqual(['br', expect.stringContaining('accept-encoding')])
    }
  } finally {
    await context.close()
  }
})
