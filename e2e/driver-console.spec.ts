import type { ApiClient } from '@hansom/client/rest-link'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { signIn } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { openBrowser, openWindow, phoneSize } from './harness/browser.ts'
import { isDelivery, taxiTest, words } from './harness/category.ts'
import { findPlace, type Receiver, startReceiver } from './harness/city.ts'
import { changeSettings } from './harness/database.ts'
import { bookTrip, type Trip } from './harness/ended-trip.ts'
import { patience } from './harness/patience.ts'
import { picturesWanted, takeFailurePicture, takePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
let context: BrowserContext
let page: Page
let receiver: Receiver
let rider: ApiClient
let driver: ApiClient

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  // A slow machine must not lose a request to its countdown.
  await changeSettings(server, { otp_secure: true, dispatch: { waveSeconds: 300 } })
  browser = await openBrowser({ graphics: picturesWanted })
  rider = await callAs(server.url, 'rider')
  driver = await callAs(server.url, 'driver')
  const pickup = await findPlace(server.url, 'Ejido 1275')
  const window = await openWindow(browser, { url: server.url, phone: true, at: pickup })
  context = window.context
  page = window.page
  receiver = startReceiver(context, pickup)
  await signIn(page, 'driver')
  await page.getByRole('switch').waitFor(patience)
  if (isDelivery) {
    const admin = await callAs(server.url, 'admin')
    const me = await rider.users.me()
    await admin.wallet.credit({ uid: me?.uid ?? '', amount: 50_000_000, reason: 'For a test' })
  }
}, 300_000)

afterAll(async () => {
  receiver?.off()
  await browser?.close()
  await server?.close()
})

const button = (name: string | RegExp) => page.getByRole('main').getByRole('button', { name, exact: true })
const landscape = { width: 844, height: 390 }

/** Takes a screenshot when a step fails. */
async function withFailurePicture(name: string, steps: () => Promise<void>): Promise<void> {
  try {
    await steps()
  } catch (error) {
    await takeFailurePicture(page, name)
    throw error
  }
}

/** True when the entire part is visible without scrolling. */
async function inSight(part: Locator): Promise<boolean> {
  const box = await part.boundingBox()
  const size = page.viewportSize()
  if (!box || !size) return false
  return box.y >= 0 && box.y + box.height <= size.height && box.x >= 0 && box.x + box.width <= size.width
}

async function book(): Promise<Trip> {
  const trip = await bookTrip(server.url, rider, driver, { payment_mode: isDelivery ? 'wallet' : 'cash' })
  await page.getByRole('article', { name: /Request from/ }).waitFor(patience)
  return trip
}

it('phone in landscape -> a request and its Accept are visible, nothing overflows', () =>
  withFailurePicture('landscape', async () => {
    await page.setViewportSize(landscape)
    await book()
    await expect.poll(() => inSight(button('Accept')), patience).toBe(true)
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0)
    expect(await findBarriers(page)).toEqual([])
    await takePicture(page, 'console-landscape')
    await button('Accept').click()
    await page.getByText(words('Drive to the pickup')).waitFor(patience)
    expect(await inSight(button('I’ve arrived'))).toBe(true)
    await page.setViewportSize(phoneSize)
  }))

it('a wrong trip code: said at its field, which is in sight and has the focus', () =>
  withFailurePicture('wrong-code', async () => {
    await button('I’ve arrived').click()
    const field = page.getByRole('textbox', { name: words('Trip code') })
    await field.fill('00000')
    await button(words('Start trip', 'driver.step_start')).click()
    const problem = page.getByRole('alert').filter({ hasText: /Wrong code. \d tries left/ })
    await problem.waitFor(patience)
    expect(await inSight(problem)).toBe(true)
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    await takePicture(page, 'console-wrong-code')
  }))

it('rider cancels -> the driver is notified immediately, until they confirm', () =>
  withFailurePicture('rider-cancels', async () => {
    const { items } = await rider.bookings.list({ status: 'open' })
    const trip = items[0] as Trip
    const [reason] = await rider.cancelReasons.list()
    await rider.bookings.cancel({ id: trip.id, reason: reason?.label ?? '' })
    const notice = page.getByRole('region', { name: words('Cancelled trip') })
    await notice.getByText(words('The rider cancelled this trip')).waitFor(patience)
    expect(
      await page
        .getByRole('status')
        .filter({ hasText: words('The rider cancelled this trip') })
        .count(),
    ).toBe(1)
    expect(await inSight(notice)).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    await takePicture(page, 'console-cancelled')
    await page.reload()
    await notice.waitFor(patience)
    await notice.getByRole('button', { name: 'OK' }).click()
    await expect.poll(() => notice.count(), patience).toBe(0)
  }))

/** Drives an accepted trip to its end, with the console open; `asked` inspects its request. */
async function ended(asked?: () => Promise<void>): Promise<Trip> {
  const trip = await book()
  await asked?.()
  await button('Accept').click()
  await page.getByText(words('Drive to the pickup')).waitFor(patience)
  const { id } = trip
  await driver.bookings.arrive({ id })
  await driver.bookings.start({ id, otp: (await rider.bookings.get({ id })).otp ?? '' })
  await driver.bookings.reach({ id })
  await button(/^Collected/).waitFor(patience)
  return trip
}
const seenByRider = (trip: Trip) => rider.bookings.get({ id: trip.id })

// The cash of a delivery is collected at a stop, which the journey of the courier tests.
taxiTest('end of a cash trip -> nothing, the trip only, or all of it', { timeout: 400_000 }, () =>
  withFailurePicture('cash', async () => {
    // Paid nothing: confirmed in a dialog, then waits for the rider.
    const first = await ended()
    await takePicture(page, 'console-collect')
    await button(words('The rider paid nothing')).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Complete without payment' }).click()
    await page.getByText(/told the rider this trip is unpaid/).waitFor(patience)
    expect((await seenByRider(first)).status).toBe('PENDING')

    // Paid the trip only: the earlier debt stays open.
    const second = await ended(async () => {
      await takePicture(page, 'console-request-beside-unpaid')
      // The amount separates the cash button of the first trip from Accept and Decline, so that it is not tapped by
      // mistake.
      const amount = await page.getByText('Payment due').first().boundingBox()
      const received = await button('I received the cash').boundingBox()
      expect(received?.y).toBeGreaterThan(amount?.y ?? Infinity)
    })
    await page.getByText('Outstanding amount').waitFor(patience)
    expect(await findBarriers(page)).toEqual([])
    await takePicture(page, 'console-collect-outstanding')
    await button(/^Only this trip/).click()
    await page.getByText(words('Trip complete')).waitFor(patience)
    expect((await seenByRider(second)).status).toBe('PAID')
    expect((await seenByRider(first)).status).toBe('PENDING')
    await takePicture(page, 'console-finished')
    await button('Continue').click()

    // Paid all of it: both trips are paid.
    const third = await ended()
    await button(/^Collected/).click()
    await page.getByText(words('Trip complete')).waitFor(patience)
    expect((await seenByRider(third)).status).toBe('PAID')
    await expect.poll(async () => (await seenByRider(first)).status, patience).toBe('PAID')
    await button('Continue').click()
  }),
)

/** Texts of the main part that overflow the window horizontally and cannot be scrolled to. */
const overflowingTexts = () =>
  page
    .getByRole('main')
    .locator('p, dd, dt, button, strong, h1, h2')
    .evaluateAll((parts) =>
      parts
        .filter((part) => part.checkVisibility() && part.getClientRects().length > 0)
        .filter((part) => part.closest('[aria-label="Map"]') === null)
        .filter((part) => {
          const { left, right, width } = part.getBoundingClientRect()
          return width > 1 && (right > innerWidth + 1 || left < -1)
        })
        .map((part) => part.textContent),
    )

const sizes = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  landscape,
  { width: 1440, height: 900 },
]

it('console and trip page -> no overflow at any size, nor with text twice as large', () =>
  withFailurePicture('sizes', async () => {
    const trip = await book()
    await button('Accept').click()
    await page.getByText(words('Drive to the pickup')).waitFor(patience)
    for (const path of ['/bookings', `/trip/${trip.id}`]) {
      await page.goto(path)
      await page.getByText(words('Drive to the pickup')).first().waitFor(patience)
      for (const size of sizes) {
        await page.setViewportSize(size)
        // A style does not affect media queries as the browser's text size does: only narrow windows are meaningful.
        for (const text of size.width < 800 ? ['100%', '200%'] : ['100%']) {
          await page.evaluate((fontSize) => void (document.documentElement.style.fontSize = fontSize), text)
          await expect.poll(() => sidewaysScroll(page), patience).toBeLessThanOrEqual(0)
          await expect.poll(() => overflowingTexts(), patience).toEqual([])
          await takePicture(page, `size-${path.slice(1, 5)}-${size.width}-${text.slice(0, 3)}`)
        }
      }
    }
  }))
