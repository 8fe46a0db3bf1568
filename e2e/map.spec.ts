import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn } from './harness/accounts.ts'
import { openBrowser, openWindow } from './harness/browser.ts'
import { words } from './harness/category.ts'
import { mapDrawn } from './harness/map.ts'
import { patience } from './harness/patience.ts'
import { takePicture } from './harness/pictures.ts'
import { type RunningServer, startServer } from './harness/running-server.ts'

/** A map service: a style whose tiles are pictures of one color. `asked` are the paths that the browser requested. */
interface MapService {
  url: string
  asked: string[]
  /** While true, every request fails. */
  isDown: boolean
  close(): Promise<void>
}

/** One pixel, as GIF. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

async function startMapService(): Promise<MapService> {
  const server: Server = createServer((request, response) => {
    const path = request.url ?? '/'
    service.asked.push(path)
    if (service.isDown) return response.writeHead(503).end()
    response.setHeader('access-control-allow-origin', '*')
    if (!path.startsWith('/style.json')) {
      return response.writeHead(200, { 'content-type': 'image/gif' }).end(pixel)
    }
    const style = {
      version: 8,
      sources: {
        ground: {
          type: 'raster',
          tiles: [`${service.url}/tile/{z}/{x}/{y}.gif`],
          tileSize: 512,
          attribution: '<a href="https://maps.example/terms">© Example Maps</a>',
        },
      },
      layers: [{ id: 'ground', type: 'raster', source: 'ground' }],
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(style))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: MapService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    isDown: false,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return service
}

let maps: MapService
let server: RunningServer
let browser: Browser

beforeAll(async () => {
  maps = await startMapService()
  server = await startServer({ DEMO_DRIVERS: '60', MAP_STYLE_URL: `${maps.url}/style.json?key=public` })
  browser = await openBrowser({ graphics: true })
}, 300_000)

afterAll(async () => {
  await browser?.close()
  await server?.close()
  await maps?.close()
})

/** A cluster of one driver or more, some of them free. */
const clusterName = new RegExp(
  [words('1 driver, 1 free. Zoom in', 'map.heap_one'), words('1 drivers, 1 free. Zoom in', 'map.heap_other')]
    .map((text) => `^${text.replaceAll('1', '\\d+').replace('.', '\\.')}$`)
    .join('|'),
)

async function withDashboard(look: (page: Page) => Promise<void>, phone = false): Promise<string[]> {
  const { context, page, problems } = await openWindow(browser, { url: server.url, dark: true, phone })
  try {
    await signIn(page, 'admin')
    await look(page)
    return problems
  } finally {
    await context.close()
  }
}

it('outside style -> its tiles are drawn with its attribution, and nothing is blocked', async () => {
  const problems = await withDashboard(async (page) => {
    await page.getByRole('link', { name: '© Example Maps' }).waitFor(patience)
    await expect.poll(() => maps.asked.some((path) => path.startsWith('/tile/')), patience).toBe(true)
    expect(await page.getByRole('link', { name: '© OpenStreetMap contributors' }).count()).toBe(0)
    await page.locator('canvas.maplibregl-canvas').scrollIntoViewIfNeeded()
    await takePicture(page, 'map-1-outside')
  })
  expect(maps.asked[0]).toBe('/style.json?key=public')
  expect(problems).toEqual([])
})

it('outside style cannot be loaded -> our own map', async () => {
  maps.isDown = true
  await withDashboard(async (page) => {
    await page.getByRole('link', { name: '© OpenStreetMap contributors' }).waitFor(patience)
    await mapDrawn(page)
    await takePicture(page, 'map-2-own')
  })
  maps.isDown = false
})

it('phone with many drivers -> clusters; a tap zooms in; the chosen driver is never in one', async () => {
  await withDashboard(async (page) => {
    const clusters = page.getByRole('button', { name: clusterName })
    await clusters.first().waitFor(patience)
    await takePicture(page, 'map-3-clusters')
    const sizes = async () => (await clusters.allTextContents()).map(Number)
    const largest = Math.max(...(await sizes()))
    await clusters
      .filter({ hasText: String(largest) })
      .first()
      .click()
    await page.getByRole('button', { name: words('Show all drivers') }).waitFor(patience)

    await page
      .getByRole('list', { name: words('Drivers online') })
      .getByRole('button')
      .first()
      .click()
    const chosen = page.locator('.maplibregl-marker button[aria-pressed="true"]')
    await chosen.waitFor(patience)
    for (let step = 0; step < 3; step++) await page.getByRole('button', { name: 'Zoom out' }).click()
    await clusters.first().waitFor(patience)
    expect(await chosen.count()).toBe(1)
    await takePicture(page, 'map-4-chosen')
  }, true)
})
