import type { ApiClient } from '@hansom/client/rest-link'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { type Account, enterAs } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { openBrowser, openWindow, phoneSize, type WindowOptions } from './harness/browser.ts'
import { dearerCar, isDelivery, recipient, usualCar, words } from './harness/category.ts'
import { findPlace } from './harness/city.ts'
import { patience } from './harness/patience.ts'
import { takePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

type Viewer = Account | 'visitor'
interface Look {
  locale: 'en' | 'ar'
  dark: boolean
}

const looks: Look[] = [
  { locale: 'en', dark: false },
  { locale: 'en', dark: true },
  { locale: 'ar', dark: false },
  { locale: 'ar', dark: true },
]
/** Both directions and both themes in two looks, for pages that are tested often. */
const diagonal = looks.filter(({ locale, dark }) => (locale === 'ar') === dark)
/** Every look of every page takes ten minutes more; HANSOM_ALL=1 enables it, in `npm run test:long`. */
const usual = process.env.HANSOM_ALL === '1' ? looks : diagonal
/** Pages, and the states of a trip, alternate between the looks. */
const inTurn = (turn: number) => (usual === looks ? looks : usual.slice(turn % 2, (turn % 2) + 1))
const nameOf = ({ locale, dark }: Look) => `${locale}-${dark ? 'dark' : 'light'}`

let server: RunningServer
/** `drawing` draws maps, the slowest part of a page; `plain` shows lists instead. */
const browsers = new Map<'drawing' | 'plain', Browser>()
const people = new Map<Account, ApiClient>()
const windows = new Map<string, BrowserContext>()

beforeAll(async () => {
  // Slow time: a deadline of thirty seconds lasts five minutes.
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_SPEED: '0.1' })
  browsers.set('drawing', await openBrowser({ graphics: true }))
  browsers.set('plain', await openBrowser())
  for (const account of ['rider', 'driver', 'admin'] as const)
    people.set(account, await callAs(server.url, account))
}, 300_000)

afterAll(async () => {
  await Promise.all([...browsers.values()].map((browser) => browser.close()))
  await server?.close()
})

const open = (kind: 'drawing' | 'plain', options: Partial<WindowOptions> = {}) =>
  openWindow(browsers.get(kind) as Browser, { url: server.url, ...options })

/** A viewer's window with one look; signed in once. An empty page keeps its process for all others. */
async function windowOf(viewer: Viewer, look: Look, kind: 'drawing' | 'plain'): Promise<BrowserContext> {
  const key = `${viewer} ${nameOf(look)} ${kind}`
  const known = windows.get(key)
  if (known) return known
  const { context } = await open(kind, look)
  windows.set(key, context)
  if (viewer !== 'visitor') await enterAs(context, viewer)
  return context
}

let pagesSeen = 0

/** Inspects one page as one viewer, at desktop and phone size. Returns everything wrong. */
async function inspect(
  viewer: Viewer,
  path: string,
  name: string,
  ready: (page: Page) => Promise<void>,
  seen: readonly Look[] = inTurn(pagesSeen++),
) {
  const wrong: string[] = []
  for (const look of seen) {
    const drawing = usual === looks || ready === withMap
    const context = await windowOf(viewer, look, drawing ? 'drawing' : 'plain')
    const page = await context.newPage()
    const note = (problem: string) => wrong.push(`${name} ${nameOf(look)}: ${problem}`)
    page.on('pageerror', (error) => note(`page error: ${error.message}`))
    page.on('console', (message) => {
      const absent = ready === nothingThere && /status of (404|410)/.test(message.text())
      if (message.type() === 'error' && !absent) note(`console: ${message.text()}`)
    })
    try {
      await page.goto(path)
      await ready(page)
      if ((await page.locator('html').getAttribute('dir')) !== (look.locale === 'ar' ? 'rtl' : 'ltr')) {
        note('the wrong direction')
      }
      for (const barrier of await findBarriers(page)) note(barrier)
      await takePicture(page, `${name}-${nameOf(look)}-desk`)
      await page.setViewportSize(phoneSize)
      for (const barrier of await findBarriers(page)) note(`phone: ${barrier}`)
      const beyond = await sidewaysScroll(page)
      if (beyond > 0) note(`scrolls ${beyond} px sideways on a phone`)
      await takePicture(page, `${name}-${nameOf(look)}-phone`)
    } finally {
      await page.close()
    }
  }
  return wrong
}

const settled = async (page: Page) => {
  await page.getByRole('main').getByRole('heading').first().waitFor(patience)
  await loaded(page)
}
/** Works behind a dialog too, which hides the page from assistive technology. */
const loaded = async (page: Page) => {
  await expect.poll(() => page.locator('[aria-busy="true"], [class*="skeleton"]').count(), patience).toBe(0)
}
/** A page of something missing or ended; the browser itself logs the status 404 or 410. */
const nothingThere = (page: Page) => settled(page)
/** Waits for the map, too. */
const withMap = async (page: Page) => {
  await settled(page)
  await page.locator('canvas.maplibregl-canvas').waitFor(patience)
}
/** Waits for the countdown of a request, too. */
const withRequest = async (page: Page) => {
  await settled(page)
  await page.getByRole('timer').waitFor(patience)
}

describe('dialogs and drawers', { timeout: 300_000 }, () => {
  it('each one -> no accessibility violations', async () => {
    const { context, page, problems } = await open('plain', { phone: true })
    const wrong: string[] = []
    const look = async (name: string) => {
      wrong.push(...(await findBarriers(page)).map((barrier) => `${name}: ${barrier}`))
      await takePicture(page, `dialog-${name}`)
    }
    try {
      await page.goto('/')
      await settled(page)
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('dialog').waitFor()
      await look('drawer')
      await page.keyboard.press('Escape')
      await page.getByRole('combobox', { name: 'From' }).fill('plaza')
      await page.getByRole('listbox', { name: 'From' }).getByRole('option').first().waitFor(patience)
      await look('places')
      await enterAs(context, 'rider')
      await page.goto('/bookings')
      await settled(page)
      await page.getByRole('button', { name: /Notifications/ }).click()
      await page.getByRole('dialog', { name: 'Notifications' }).waitFor()
      await loaded(page)
      await look('notifications')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'My account' }).click()
      await page.getByRole('dialog', { name: 'My account' }).waitFor()
      await look('account')
      expect(wrong).toEqual([])
      expect(problems).toEqual([])
    } finally {
      await context.close()
    }
  })
})

describe('accessibility and horizontal scroll, in both directions and both themes', {
  timeout: 600_000,
}, () => {
  it.each([
    ['visitor', '/', 'landing', withMap],
    ['visitor', '/login', 'login', settled],
    ['visitor', '/register', 'register', settled],
    ['visitor', '/about-us', 'about', settled],
    ['visitor', '/privacy-policy', 'privacy', settled],
    ['visitor', '/setup', 'setup', settled],
    ['visitor', '/nowhere', 'nowhere', nothingThere],
    ['rider', '/bookings', 'bookings-rider', settled],
    ['driver', '/bookings', 'bookings-driver', settled],
    ['admin', '/bookings', 'bookings-admin', settled],
    ['driver', '/earnings', 'earnings', settled],
    ['rider', '/profile', 'profile', settled],
    ['admin', '/mailbox', 'mailbox', settled],
    ['admin', '/settings', 'settings', settled],
    ['admin', '/appinfo', 'appinfo', settled],
    ['admin', '/languagesetting', 'languages', settled],
    ['admin', '/languagesetting?language=ar', 'language-texts', settled],
    ['admin', '/languagesetting?language=ar&as=json', 'language-json', settled],
    ['driver', '/', 'landing-driver', settled],
    ['rider', '/trip/00000000-0000-0000-0000-000000000000', 'trip-absent', nothingThere],
    ['admin', '/dispatch', 'dispatch', withMap],
  ] as const)('%s at %s', async (viewer, path, name, ready) => {
    expect(await inspect(viewer, path, name, ready)).toEqual([])
  })

  it('every state of a trip -> no violations', async () => {
    const rider = people.get('rider') as ApiClient
    const driver = people.get('driver') as ApiClient
    const [pickup, drop] = await Promise.all([
      findPlace(server.url, 'Ejido 1275'),
      findPlace(server.url, 'Teatro Solís'),
    ])
    const carTypes = await rider.carTypes.list()
    const carType = carTypes.find(({ name }) => name === usualCar)
    if (!pickup || !drop || !carType) throw new Error('the demo data has changed')
    const clock = await driver.settings.clock()
    const at = { lat: pickup.lat + 0.003, lng: pickup.lng }
    await driver.tracking.online({ online: true })
    await driver.tracking.report({
      positions: [{ ...at, at: Math.round(clock.now) }],
    })
    const { id } = await rider.bookings.create({
      pickup: { ...pickup, add: 'Ejido 1275, Centro, Montevideo' },
      drop: { ...drop, add: 'Teatro Solís, Ciudad Vieja, Montevideo' },
      car_type_id: carType.id,
      bookLater: false,
      payment_mode: 'cash',
    })
    const give = (command: 'accept' | 'arrive' | 'start' | 'reach' | 'close') =>
      driver.bookings[command]({ id })

    const wrong = await inspect('rider', `/trip/${id}`, 'trip-1-new', settled, inTurn(0))
    wrong.push(...(await inspect('driver', '/bookings', 'driver-1-request', withRequest, inTurn(1))))
    await give('accept')
    wrong.push(...(await inspect('rider', `/trip/${id}`, 'trip-2-accepted', withMap, inTurn(1))))
    wrong.push(...(await inspect('driver', '/bookings', 'driver-2-accepted', withMap, inTurn(0))))
    const link = await rider.tripLinks.create({ id })
    wrong.push(...(await inspect('visitor', link.path, 'track-1-accepted', withMap, inTurn(1))))
    await give('arrive')
    wrong.push(...(await inspect('rider', `/trip/${id}`, 'trip-3-arrived', settled, inTurn(0))))
    await give('start')
    wrong.push(...(await inspect('rider', `/trip/${id}`, 'trip-4-started', settled, inTurn(1))))
    await give('reach')
    wrong.push(...(await inspect('visitor', link.path, 'track-2-over', nothingThere, inTurn(0))))
    await give('close')
    wrong.push(...(await inspect('rider', `/trip/${id}`, 'trip-5-paid', settled, inTurn(0))))
    wrong.push(...(await inspect('driver', `/trip/${id}`, 'trip-5-driver', settled, inTurn(1))))
    await rider.bookings.rate({ id, rating: 5 })
    wrong.push(...(await inspect('rider', `/trip/${id}`, 'trip-6-complete', settled, inTurn(1))))
    wrong.push(...(await inspect('admin', `/trip/${id}`, 'trip-6-admin', settled, inTurn(0))))
    expect(wrong).toEqual([])
  })
})

describe('keyboard only', { timeout: 300_000 }, () => {
  it('booking for later -> booked', async () => {
    const { context, page, problems } = await open('plain')
    const press = (key: string) => page.keyboard.press(key)
    const focused = () =>
      page.evaluate(
        () => document.activeElement?.getAttribute('name') ?? document.activeElement?.textContent ?? '',
      )
    /** Presses Tab until the focus is there. */
    const tabTo = async (there: () => Promise<boolean>) => {
      for (let presses = 0; presses < 40; presses += 1) {
        if (await there()) return
        await press('Tab')
      }
      throw new Error(`the focus is still at ${JSON.stringify(await focused())}`)
    }
    const on = (role: 'combobox' | 'textbox' | 'button' | 'radio', name: RegExp) => async () =>
      page
        .getByRole(role, { name })
        .first()
        .evaluate((element) => element === document.activeElement)
        .catch(() => false)
    /** Tab stops at the chosen one of a group, which is not always the first. */
    const onChosen = () =>
      page.evaluate(() => document.activeElement?.matches('[type=radio]:checked') ?? false)
    try {
      await enterAs(context, 'rider')
      await page.goto('/')
      await settled(page)
      for (const [field, typed] of [
        ['From', 'ejido 1275'],
        ['To', 'teatro solis'],
      ] as const) {
        await tabTo(on('combobox', new RegExp(`^${field}$`)))
        await page.keyboard.type(typed)
        await page
          .getByRole('listbox', { name: field })
          .getByRole('option', { name: typed === 'ejido 1275' ? 'Ejido 1275' : 'Teatro Solís' })
          .first()
          .waitFor(patience)
        await expect.poll(() => page.locator('[role="listbox"][aria-busy="true"]').count(), patience).toBe(0)
        await press('ArrowDown')
        await press('Enter')
      }
      await page.getByRole('radio', { name: new RegExp(dearerCar) }).waitFor(patience)
      await tabTo(onChosen)
      await press('ArrowDown')
      await tabTo(on('button', /^Book Later$/))
      await press('Enter')
      await page.getByLabel('Pickup time').waitFor()
      await tabTo(on('button', /^Book Later$/))
      await press('Enter')
      if (isDelivery) {
        await tabTo(on('button', /^Continue$/))
        await press('Enter')
        await tabTo(on('combobox', /^Recipient’s name$/))
        await page.keyboard.type(recipient.deliveryPerson)
        await tabTo(on('textbox', /^Recipient’s phone$/))
        await page.keyboard.type(recipient.deliveryPersonPhone)
      }
      const confirm = page.getByRole('dialog', { name: words('Confirm booking') })
      await confirm.getByText('Base fare').waitFor(patience)
      if (isDelivery) {
        await tabTo(onChosen)
        const cash = on('radio', /^Cash at pickup/)
        for (let presses = 0; presses < 5 && !(await cash()); presses += 1) await press('ArrowDown')
      }
      await tabTo(on('button', /^Confirm · /))
      await press('Enter')
      await page.getByRole('dialog', { name: 'Booked' }).waitFor(patience)
      await tabTo(on('button', new RegExp(`^${words('Track this trip')}$`)))
      await press('Enter')
      await page
        .getByRole('heading', { level: 1, name: new RegExp(`Booked for|${words('Finding your driver')}`) })
        .waitFor(patience)
      await takePicture(page, 'keyboard-booked')
      expect(problems).toEqual([])
    } finally {
      await context.close()
    }
  })
})
