import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ApiClient } from '@hansom/client/rest-link'
import { type ScreenPath, screenRoles } from '@hansom/domain/access/screens'
import { shippedLanguages } from '@hansom/domain/languages/shipped-languages'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, enterAs } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { deskSize, openBrowser, openWindow, phoneSize } from './harness/browser.ts'
import { isDelivery } from './harness/category.ts'
import { bookTrip, type Trip } from './harness/ended-trip.ts'
import { findOverflow, fontsReady, lastingOverflow } from './harness/overflow.ts'
import { patience } from './harness/patience.ts'
import { takePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

/** HANSOM_LANGUAGES=hi,fr limits the languages. */
const wanted = process.env.HANSOM_LANGUAGES?.split(',')
const languages = shippedLanguages.filter(({ langLocale }) => wanted?.includes(langLocale) ?? true)
const viewers = ['visitor', 'rider', 'driver', 'fleet', 'admin'] as const
type Viewer = (typeof viewers)[number]

const wish = { payment_mode: isDelivery ? 'wallet' : 'cash' } as const

let server: RunningServer
let browser: Browser
let rider: ApiClient
let driver: ApiClient
let trip: Trip
/** Paths of pages with parameters: a completed trip and a new one. */
let trips: Record<Viewer, string[]>

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0', DEMO_SPEED: '0.1' })
  browser = await openBrowser()
  rider = await callAs(server.url, 'rider')
  driver = await callAs(server.url, 'driver')
  await makeTrips()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** The rider's earlier trip and a new one, shared by a link. */
async function makeTrips(): Promise<void> {
  if (isDelivery) {
    const admin = await callAs(server.url, 'admin')
    const me = await rider.users.me()
    await admin.wallet.credit({ uid: me?.uid ?? '', amount: 50_000_000, reason: 'For a test' })
  }
  trip = await bookAndAsk()
  const link = await rider.tripLinks.create({ id: trip.id })
  const ended = (await rider.bookings.list({ limit: 50 })).items.find(({ status }) => status === 'COMPLETE')
  if (!ended) throw new Error('the demo data has changed')
  const both = [`/trip/${trip.id}`, `/trip/${ended.id}`]
  trips = { visitor: [link.path], rider: both, driver: [], fleet: [], admin: both }
}

/** Books a trip, and waits until the driver is asked. */
async function bookAndAsk(): Promise<Trip> {
  const booked = await bookTrip(server.url, rider, driver, wish)
  const isAsked = () =>
    driver.bookings.get({ id: booked.id }).then(
      () => true,
      () => false,
    )
  while (!(await isAsked())) await wait(100)
  return booked
}

/** A further trip, which the driver accepts; both write, and the rider of a taxi asks for help. */
async function goOn(): Promise<void> {
  trip = await bookAndAsk()
  const { id } = trip
  await driver.bookings.accept({ id })
  trips.visitor[0] = (await rider.tripLinks.create({ id })).path
  await driver.chats.send({ id, smsId: randomUUID(), quick: 'on_my_way' })
  await rider.chats.send({ id, smsId: randomUUID(), message: 'I’m at the blue gate, next to the bakery.' })
  if (!isDelivery) await rider.safety.panic({ id })
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

/** Buttons that open a dialog or a menu, such as the notifications; in tables and cards one of a kind is enough. */
const opened =
  '[role="dialog"]:visible, [role="alertdialog"][aria-modal="true"]:visible, [role="menu"]:visible'
const openers = '[aria-haspopup]:not([disabled]):visible'

async function inspectOpened(
  page: Page,
  within: string,
  note: (where: string, faults: string[]) => void,
): Promise<void> {
  const count = await page.locator(`${within} ${openers}`).count()
  for (let index = 0; index < count; index += 1) {
    const opener = page.locator(`${within} ${openers}`).nth(index)
    const name = (await opener.getAttribute('aria-label')) ?? (await opener.innerText())
    await opener.click()
    await expect.poll(() => page.locator(opened).count(), patience).toBeGreaterThan(0)
    await expect.poll(() => page.locator('[aria-busy="true"]').count(), patience).toBe(0)
    note(name, await lastingOverflow(page))
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator(opened).count(), patience).toBe(0)
  }
}

/** Visits pages in both sizes. What opens from the header is tried on the last one: closing a dialog goes back in history. */
async function inspectPages(
  viewer: Viewer,
  langLocale: string,
  paths: readonly string[],
  opensFrom: string,
): Promise<string> {
  const { context, page } = await openWindow(browser, { url: server.url, locale: langLocale })
  const wrong: string[] = []
  try {
    if (viewer !== 'visitor') await enterAs(context, viewer as Account)
    for (const path of paths) {
      const note = (where: string, faults: string[]) =>
        wrong.push(...faults.map((fault) => `${path} ${where}: ${fault}`))
      for (const size of [deskSize, phoneSize]) {
        await page.setViewportSize(size)
        if (size === deskSize) await page.goto(path)
        await settled(page)
        await fontsReady(page, langLocale)
        note(`${size.width}`, await lastingOverflow(page))
        const name = path.replaceAll(/[^a-z]+/g, '-').slice(1, 30) || 'landing'
        await takePicture(page, `overflow-${langLocale}-${viewer}-${name}-${size.width}`)
        if (path === paths.at(-1))
          await inspectOpened(page, opensFrom, (where, faults) => note(`${size.width} ${where}`, faults))
      }
    }
  } finally {
    await context.close()
  }
  // Joined, because a failed list is printed in part.
  return wrong.join('\n')
}

describe.each(languages)('$langName: no text is cut, leaves its box or overlaps', ({ langLocale }) => {
  it.each(viewers)('every page of %s, 390 and 1440 px', { timeout: 300_000 }, async (viewer) => {
    expect(await inspectPages(viewer, langLocale, pagesOf(viewer).toReversed(), 'header')).toBe('')
  })
})

describe('a driver has accepted, messages were written, the rider has asked for help', () => {
  beforeAll(goOn, 120_000)
  const pages: [Viewer, () => string][] = [
    ['rider', () => `/trip/${trip.id}`],
    ['driver', () => '/bookings'],
    ['admin', () => `/trip/${trip.id}`],
    ['admin', () => '/safety'],
    ['visitor', () => trips.visitor[0] ?? ''],
  ]
  it.each(
    languages.flatMap(({ langName, langLocale }) =>
      pages.map(([viewer, path]) => ({ langName, langLocale, viewer, path })),
    ),
  )(
    '$langName: page of the trip, chat and alarm of $viewer -> no text is cut',
    async ({ langLocale, viewer, path }) => {
      expect(await inspectPages(viewer, langLocale, [path()], 'main')).toBe('')
    },
  )
})

describe('the search for cut texts', () => {
  const word = 'Sammanfattning'
  const box = 'width:60px;height:24px;white-space:nowrap;'
  const ellipsis = 'overflow:hidden;text-overflow:ellipsis;'
  it.each([
    ['cut at the side', `<div style="${box}overflow:hidden">${word}</div>`],
    [
      'cut at the top or bottom',
      `<div style="width:60px;height:20px;overflow:clip">${word} ${word} ${word}</div>`,
    ],
    ['leaves its box', `<button style="${box}background:#ddd;padding:0">${word}</button>`],
    ['outside the window', `<div style="position:absolute;left:-20px">${word}</div>`],
    ['scrolls', `<div style="width:9000px">${word}</div>`],
    ['cut at the side', `<table><th><div style="${box}${ellipsis}">${word}</div></th></table>`],
    [
      'cut at the side',
      `<a href="/"><div style="${box}${ellipsis}"><span style="display:inline-grid">7<small>${word}</small></span></div></a>`,
    ],
    ['cut at the side', `<div style="${box}${ellipsis}">${word}</div>`],
    [
      'cut at the side',
      `<div style="${box}overflow:hidden"><span style="display:inline-block;background:#ddd;padding:0 30px">7</span></div>`,
    ],
    ['overlaps', `<p>${word}</p><p style="margin-top:-30px">Total</p>`],
    ['marks are cut', `<div style="line-height:0.9;height:0.9em;overflow:hidden;font-size:40px">ggg</div>`],
  ])('%s -> found', async (fault, html) => {
    expect((await faultsOf(html)).join('\n')).toContain(fault)
  })

  it.each([
    ['ellipsis with a tooltip', `<div title="${word}" style="${box}${ellipsis}">${word}</div>`],
    ['ellipsis behind a click', `<a href="/"><div style="${box}${ellipsis}"><b>${word}</b></div></a>`],
    [
      'ellipsis under a click',
      `<li style="position:relative"><div style="${box}${ellipsis}">${word}</div><button style="position:absolute;inset:0"></button></li>`,
    ],
    [
      'ellipsis of each line',
      `<a href="/"><div style="${box}${ellipsis}height:auto"><div style="${ellipsis}">${word}</div>7</div></a>`,
    ],
    ['scrolls', `<div style="${box}overflow:auto">${word}</div>`],
    [
      'scrolled out of sight',
      `<div style="height:20px;overflow:auto"><p>One</p><p>${word}</p></div><p style="margin:0">Total</p>`,
    ],
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
