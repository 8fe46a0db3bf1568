import type { ApiClient } from '@hansom/client/rest-link'
import { type ScreenPath, screenRoles } from '@hansom/domain/access/screens'
import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, enterAs } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { deskSize, openBrowser, openWindow, phoneSize } from './harness/browser.ts'
import { usualCar } from './harness/category.ts'
import { findPlace } from './harness/city.ts'
import { findOverflow, fontsReady } from './harness/overflow.ts'
import { patience } from './harness/patience.ts'
import { takePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

/** HANSOM_LANGUAGES=hi,fr limits the languages. */
const wanted = process.env.HANSOM_LANGUAGES?.split(',')
const languages = shippedLanguages.filter(({ langLocale }) => wanted?.includes(langLocale) ?? true)
const viewers = ['visitor', 'rider', 'driver', 'fleet', 'admin'] as const
type Viewer = (typeof viewers)[number]

let server: RunningServer
let browser: Browser
/** Paths of pages with parameters: a completed trip and one that looks for a driver. */
let trips: Readonly<Record<Viewer, readonly string[]>>

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0', DEMO_SPEED: '0.1' })
  browser = await openBrowser()
  trips = await makeTrips()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** The rider's earlier trips and a new one, shared by a link. */
async function makeTrips(): Promise<typeof trips> {
  const [rider, driver]: ApiClient[] = await Promise.all([
    callAs(server.url, 'rider'),
    callAs(server.url, 'driver'),
  ])
  const [pickup, drop] = await Promise.all([
    findPlace(server.url, 'Ejido 1275'),
    findPlace(server.url, 'Teatro Solís'),
  ])
  const carType = (await rider?.carTypes.list())?.find(({ name }) => name === usualCar)
  if (!rider || !driver || !pickup || !drop || !carType) throw new Error('the demo data has changed')
  const clock = await driver.settings.clock()
  await driver.tracking.online({ online: true })
  await driver.tracking.report({
    positions: [{ lat: pickup.lat + 0.003, lng: pickup.lng, at: Math.round(clock.now) }],
  })
  const { id } = await rider.bookings.create({
    pickup: { ...pickup, add: 'Ejido 1275, Centro, Montevideo' },
    drop: { ...drop, add: 'Teatro Solís, Ciudad Vieja, Montevideo' },
    car_type_id: carType.id,
    bookLater: false,
    payment_mode: 'cash',
  })
  const link = await rider.tripLinks.create({ id })
  const ended = (await rider.bookings.list({ limit: 50 })).items.find(({ status }) => status === 'COMPLETE')
  const done = ended ? [`/trip/${ended.id}`] : []
  return {
    visitor: [link.path],
    rider: [`/trip/${id}`, ...done],
    driver: [],
    fleet: [],
    admin: [`/trip/${id}`, ...done],
  }
}

/** The pages that a viewer may open. */
function pagesOf(viewer: Viewer): string[] {
  const role = viewer === 'fleet' ? 'fleetadmin' : viewer
  const paths = (Object.keys(screenRoles) as ScreenPath[]).filter((path) => {
    const roles: readonly string[] | null = screenRoles[path]
    return !path.includes('$') && (roles === null ? viewer === 'visitor' : roles.includes(role))
  })
  return [...paths, ...trips[viewer]]
}

const settled = async (page: Page) => {
  await page.getByRole('main').getByRole('heading').first().waitFor(patience)
  await expect.poll(() => page.locator('[aria-busy="true"], [class*="skeleton"]').count(), patience).toBe(0)
}

/** Buttons of the header that open a dialog or a menu, such as the notifications. */
const opened = '[role="dialog"]:visible, [role="menu"]:visible'
const openers = 'header [aria-haspopup]:not([disabled])'

async function inspectOpened(page: Page, note: (where: string, faults: string[]) => void): Promise<void> {
  const count = await page.locator(openers).count()
  for (let index = 0; index < count; index += 1) {
    const opener = page.locator(openers).nth(index)
    if (!(await opener.isVisible())) continue
    const name = (await opener.getAttribute('aria-label')) ?? (await opener.innerText())
    await opener.click()
    await expect.poll(() => page.locator(opened).count(), patience).toBeGreaterThan(0)
    await expect.poll(() => page.locator('[aria-busy="true"]').count(), patience).toBe(0)
    note(name, await findOverflow(page))
    await page.keyboard.press('Escape')
    await page
      .locator('[role="dialog"], [role="menu"]')
      .first()
      .waitFor({ ...patience, state: 'hidden' })
  }
}

describe.each(languages)('$langName: no text is cut, leaves its box or overlaps', ({ langLocale }) => {
  it.each(viewers)('every page of %s, 390 and 1440 px', { timeout: 300_000 }, async (viewer) => {
    const { context, page } = await openWindow(browser, { url: server.url, locale: langLocale })
    const wrong: string[] = []
    try {
      if (viewer !== 'visitor') await enterAs(context, viewer as Account)
      for (const [index, path] of pagesOf(viewer).entries()) {
        const note = (where: string, faults: string[]) =>
          wrong.push(...faults.map((fault) => `${path} ${where}: ${fault}`))
        for (const size of [deskSize, phoneSize]) {
          await page.setViewportSize(size)
          if (size === deskSize) await page.goto(path)
          await settled(page)
          await fontsReady(page, langLocale)
          note(`${size.width}`, await findOverflow(page))
          const name = path.replaceAll(/[^a-z]+/g, '-').slice(1, 30) || 'landing'
          await takePicture(page, `overflow-${langLocale}-${viewer}-${name}-${size.width}`)
          if (index === 0)
            await inspectOpened(page, (where, faults) => note(`${size.width} ${where}`, faults))
        }
      }
      // Joined, because a failed list is printed in part.
      expect(wrong.join('\n')).toBe('')
    } finally {
      await context.close()
    }
  })
})

describe('the search for cut texts', () => {
  const word = 'Sammanfattning'
  const box = 'width:60px;height:24px;white-space:nowrap;'
  it.each([
    ['cut at the side', `<div style="${box}overflow:hidden">${word}</div>`],
    [
      'cut at the top or bottom',
      `<div style="width:60px;height:20px;overflow:clip">${word} ${word} ${word}</div>`,
    ],
    ['leaves its box', `<button style="${box}background:#ddd;padding:0">${word}</button>`],
    ['outside the window', `<div style="position:absolute;left:-20px">${word}</div>`],
    ['scrolls', `<div style="width:9000px">${word}</div>`],
    [
      'cut at the side',
      `<table><th><div style="${box}overflow:hidden;text-overflow:ellipsis">${word}</div></th></table>`,
    ],
    ['overlaps', `<p>${word}</p><p style="margin-top:-30px">Total</p>`],
    ['marks are cut', `<div style="line-height:0.9;height:0.9em;overflow:hidden;font-size:40px">ggg</div>`],
  ])('%s -> found', async (fault, html) => {
    expect((await faultsOf(html)).join('\n')).toContain(fault)
  })

  it.each([
    ['ellipsis', `<div style="${box}overflow:hidden;text-overflow:ellipsis">${word}</div>`],
    ['scrolls', `<div style="${box}overflow:auto">${word}</div>`],
    ['wraps', `<button style="width:60px;overflow-wrap:anywhere">${word}</button>`],
    [
      'for screen readers',
      `<span style="position:absolute;width:1px;height:1px;overflow:hidden">${word}</span>`,
    ],
  ])('%s -> nothing found', async (_case, html) => {
    expect(await faultsOf(html)).toEqual([])
  })

  async function faultsOf(html: string): Promise<string[]> {
    const { context, page } = await openWindow(browser, { url: server.url })
    try {
      await page.setContent(`<!doctype html><body style="margin:0">${html}</body>`)
      return await findOverflow(page)
    } finally {
      await context.close()
    }
  }
})
