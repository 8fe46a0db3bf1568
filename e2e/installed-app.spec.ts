import type { ApiClient } from '@hansom/client/rest-link'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { enterAs } from './harness/accounts.ts'
import { callAs } from './harness/api.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { isDelivery, recipient, usualCar, words } from './harness/category.ts'
import { findPlace } from './harness/city.ts'
import { type Connection, openConnection } from './harness/connection.ts'
import { patience } from './harness/patience.ts'
import { takePicture, withFailurePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
let connection: Connection
let context: BrowserContext
let page: Page
let admin: ApiClient
let id: string
let code: string

beforeAll(async () => {
  server = await startServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' })
  browser = await openBrowser()
  admin = await callAs(server.url, 'admin')
  const rider = await callAs(server.url, 'rider')
  const [pickup, drop] = await Promise.all([
    findPlace(server.url, 'Plaza Independencia'),
    findPlace(server.url, 'Teatro Solís'),
  ])
  const type = (await admin.carTypes.list()).find(({ name }) => name === usualCar)?.id ?? ''
  const booked = await admin.bookings.create({
    customer: (await rider.users.me())?.uid,
    pickup: { ...pickup, add: 'Plaza Independencia' },
    drop: { ...drop, add: 'Teatro Solís' },
    car_type_id: type,
    bookLater: true,
    tripdate: Date.now() + 3_600_000,
    ...(isDelivery && { instructionData: recipient }),
  })
  id = booked.id
  code = booked.booking_id
  connection = await openConnection(server.url)
  ;({ page, context } = await openWindow(browser, { url: connection.url, phone: true }))
  await enterAs(context, 'rider')
}, 300_000)

afterAll(async () => {
  await browser?.close()
  connection?.close()
  await server?.close()
})

const showing = (name: string, steps: () => Promise<void>) => withFailurePicture(page, name, steps)
const strip = () => page.getByText(/Last updated: \d\d:\d\d/)
const storedAt = (path: string) =>
  page.evaluate(
    async (path) => (await (await (await caches.open('hansom-pages')).match(path))?.text()) ?? '',
    path,
  )

it('during a trip: the service worker stores the trip, the history and the wallet', () =>
  showing('installed-app-stored', async () => {
    await page.goto(`/trip/${id}`)
    await page.getByText(code).first().waitFor(patience)
    await expect.poll(() => storedAt('/bookings'), patience).toContain('<html')
    const stored = () => storedAt('/offline/state')
    await expect.poll(stored, patience).toContain('["users","wallet"]')
    await expect.poll(stored, patience).toContain('["bookings","list"]')
    expect(await stored()).toContain(code)
  }))

it('offline: the trip opens again, with the time of its last update', () =>
  showing('installed-app-offline', async () => {
    connection.cut()
    await page.reload()
    await page.getByText(code).first().waitFor(patience)
    await page.getByText('Teatro Solís').first().waitFor(patience)
    await strip().waitFor(patience)
    expect(await findBarriers(page)).toEqual([])
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0)
    await takePicture(page, 'installed-app-trip-offline', true)
  }))

it('offline: start page, history and wallet -> readable', () =>
  showing('installed-app-pages', async () => {
    await page.goto('/')
    await page.waitForURL('**/bookings')
    await page.getByText(code).first().waitFor(patience)
    await strip().waitFor(patience)
    await takePicture(page, 'installed-app-bookings-offline', true)
    await page.getByText(code).first().click()
    await page.waitForURL(`**/trip/${id}`)
    await page.getByText('Teatro Solís').first().waitFor(patience)
    await page.goto('/wallet')
    await page.getByRole('heading', { level: 1 }).waitFor(patience)
    await strip().waitFor(patience)
    await takePicture(page, 'installed-app-wallet-offline', true)
  }))

it('offline: page that is not kept -> says so, and leads to the trip, the history and the wallet', () =>
  showing('installed-app-not-kept', async () => {
    await page.goto('/profile')
    await page.getByRole('heading', { level: 1, name: 'You’re offline' }).waitFor(patience)
    const links = page.locator('#content')
    await links.getByRole('link', { name: words('Bookings', 'common.nav_bookings') }).waitFor(patience)
    await links.getByRole('link', { name: 'Wallet' }).waitFor(patience)
    expect(await findBarriers(page)).toEqual([])
    expect(await sidewaysScroll(page)).toBeLessThanOrEqual(0)
    await takePicture(page, 'installed-app-not-kept', true)
    await context.setOffline(true)
    await links.getByRole('link', { name: 'Wallet' }).click()
    const withdrawals = page.getByRole('region', { name: 'Withdrawals' })
    await withdrawals.getByText('Not available offline').waitFor(patience)
    await takePicture(page, 'installed-app-not-offline', true)
    await context.setOffline(false)
    await page.goto('/profile')
    await links.getByRole('link', { name: code }).click()
    await page.waitForURL(`**/trip/${id}`)
    await page.getByText('Teatro Solís').first().waitFor(patience)
  }))

it('connection back -> the page is current again', () =>
  showing('installed-app-online', async () => {
    await page.goto(`/trip/${id}`)
    await strip().waitFor(patience)
    await connection.restore()
    await strip().waitFor({ ...patience, state: 'detached' })
    await admin.bookings.cancel({ id, reason: 'test' })
    await page.getByText(words('Cancelled')).first().waitFor(patience)
  }))
