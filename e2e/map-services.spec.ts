import { googleKey, startGoogleMaps } from '@hansom/doubles/maps/google'
import type { MapDouble } from '@hansom/doubles/maps/map-double'
import { startOsrm } from '@hansom/doubles/maps/osrm'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { findBarriers, sidewaysScroll } from './harness/accessibility.ts'
import { type Account, enterAs } from './harness/accounts.ts'
import { openBrowser, openWindow, phoneSize } from './harness/browser.ts'
import { patience } from './harness/patience.ts'
import { takePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

let server: RunningServer
let browser: Browser
let google: MapDouble
let osrm: MapDouble
const windows: BrowserContext[] = []

beforeAll(async () => {
  ;[google, osrm] = await Promise.all([startGoogleMaps(), startOsrm()])
  server = await startServer({
    DEMO_DRIVERS: '0',
    DEMO_RIDERS: '0',
    PLACES_SERVICE: 'google',
    GOOGLE_MAPS_KEY: googleKey,
    GOOGLE_MAPS_URL: google.url,
    ROUTES_SERVICE: 'osrm',
    OSRM_URL: osrm.url,
    MAP_DAILY_BUDGET: '25',
  })
  browser = await openBrowser()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await server?.close()
  await Promise.all([google?.close(), osrm?.close()])
})
afterEach(() => Promise.all(windows.splice(0).map((window) => window.close())))

async function open(path: string, account?: Account): Promise<Page> {
  const { context, page } = await openWindow(browser, { url: server.url })
  windows.push(context)
  if (account) await enterAs(context, account)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor(patience)
  return page
}

it('rider types and chooses a place -> Google answers, its name is shown, the chosen place has a position', async () => {
  const page = await open('/', 'rider')
  const pickup = page.getByRole('combobox', { name: 'From' })
  await pickup.fill('Bulevar Ejido 1040')
  await page.getByText('Google Maps', { exact: true }).first().waitFor(patience)
  await takePicture(page, 'map-services-search')
  await page.getByRole('option', { name: /Bulevar Ejido 1040/ }).click()
  await expect.poll(() => pickup.inputValue(), patience).toContain('Bulevar Ejido 1040, Montevideo')
  const details = () => google.requests.filter(({ url }) => url.pathname.startsWith('/v1/places/'))
  await expect.poll(() => details().length, patience).toBe(1)
  expect(await page.evaluate(() => localStorage.getItem('hansom-recent-places'))).toBeNull()
})

it('admin tests the services -> answers with times; a failing one says why; the privacy page names them', async () => {
  const admin = await open('/settings', 'admin')
  await admin.getByRole('button', { name: 'Test search and addresses' }).click()
  await admin.getByText(/Search: .* ms/).waitFor(patience)
  osrm.broken = 'server_error'
  await admin.getByRole('button', { name: 'Test routes and arrival times' }).click()
  await admin.getByText(/Route: .*the service failed/).waitFor(patience)
  osrm.broken = null
  const section = admin.locator('#maps')
  await section.getByText('Daily cap').waitFor(patience)
  expect(await findBarriers(admin)).toEqual([])
  await section.scrollIntoViewIfNeeded()
  await takePicture(admin, 'map-services-settings')
  await admin.setViewportSize(phoneSize)
  expect(await findBarriers(admin)).toEqual([])
  expect(await sidewaysScroll(admin)).toBe(0)
  const visitor = await open('/privacy-policy')
  await visitor.getByText(/searched addresses.*Google Maps Platform.*OSRM/).waitFor(patience)
})
