import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { type Account, enterAs } from '../e2e/harness/accounts.ts'
import { callAs } from '../e2e/harness/api.ts'
import { openBrowser, phoneSize } from '../e2e/harness/browser.ts'
import { findPlace } from '../e2e/harness/city.ts'
import { launchServer } from '../e2e/harness/server-process.ts'
import type { Line } from './limits.ts'

/** A lower mid-range phone on a poor connection: CPU 4 times cpuSlowdown, 1.6 Mbit/s down, 150 ms latency. */
const cpuSlowdown = 4
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
/** Blocking time is counted from the first paint until this long after the page has loaded. */
const watchedMs = 5_000
const runs = Number(process.env.BENCH_RUNS ?? 5)

interface Metrics {
  fcp: number
  lcp: number
  /** Blocking time: the part of each long task beyond 50 ms. */
  tbt: number
  cls: number
  bytes: number
  /** Of `bytes`, the page and its style sheets, which block painting. */
  pageBytes: number
  styleBytes: number
}

const limits = { tbt: 200, cls: 0.02 }

/**
 * Measures the landing page, a trip and the driver's console on a slow phone with an empty cache. Each is compared with
 * a static page of the same size in the same run, which shows the limits of connection and machine. The result is the
 * median of five runs.
 */
export async function run(): Promise<Line[]> {
  const server = await launchServer({ DEMO_DRIVERS: '0', DEMO_RIDERS: '0' }, null)
  const browser = await openBrowser()
  try {
    const lines = await compare(browser, server.url, 'landing', '/', null)
    const driver = await callAs(server.url, 'driver')
    await driver.tracking.online({ online: true })
    lines.push(...(await compare(browser, server.url, 'console', '/bookings', 'driver')))
    const id = await bookTrip(server.url)
    lines.push(...(await compare(browser, server.url, 'trip', `/trip/${id}`, 'rider')))
    return lines
  } finally {
    await browser.close()
    await server.close()
  }
}

/** Books a trip whose driver is on the way. */
async function bookTrip(url: string): Promise<string> {
  const [rider, driver] = await Promise.all([callAs(url, 'rider'), callAs(url, 'driver')])
  const [pickup, drop] = await Promise.all([findPlace(url, 'Ejido 1275'), findPlace(url, 'Teatro Solís')])
  const carTypes = await rider.carTypes.list()
  const { now } = await driver.settings.clock()
  await driver.tracking.report({
    positions: [{ lat: pickup.lat + 0.003, lng: pickup.lng, at: Math.round(now) }],
  })
  const { id } = await rider.bookings.create({
    pickup: { ...pickup, add: 'Ejido 1275, Centro, Montevideo' },
    drop: { ...drop, add: 'Teatro Solís, Ciudad Vieja, Montevideo' },
    car_type_id: carTypes.find(({ name }) => name === 'Economy')?.id ?? '',
    bookLater: false,
    payment_mode: 'cash',
  })
  // The driver gets the request a moment later.
  for (let tries = 0; ; tries++) {
    try {
      await driver.bookings.accept({ id })
      return id
    } catch (error) {
      if (tries === 40) throw error
      await wait(250)
    }
  }
}

async function compare(
  browser: Browser,
  url: string,
  name: string,
  path: string,
  account: Account | null,
): Promise<Line[]> {
  const ours: Metrics[] = []
  const peers: Metrics[] = []
  for (let round = 0; round < runs; round++) {
    const seen = await measure(browser, url, path, account)
    ours.push(seen)
    const staticPage = await servePage(seen)
    try {
      const { port } = staticPage.address() as AddressInfo
      peers.push(await measure(browser, `http://127.0.0.1:${port}`, '/', null))
    } finally {
      staticPage.close()
    }
  }
  console.error(name, JSON.stringify(ours))
  const middle = (of: Metrics[], what: keyof Metrics) =>
    of.map((metrics) => metrics[what]).toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? 0
  const peer = { peer_name: 'a static page of the same bytes' }
  const within = (limit: number, value: number) => limit / Math.max(value, limit / 100)
  const [lcp, staticLcp] = [middle(ours, 'lcp'), middle(peers, 'lcp')]
  const [tbt, cls] = [middle(ours, 'tbt'), middle(ours, 'cls')]
  return [
    { job: `pages ${name} LCP`, unit: 'ms', ours: lcp, peer: staticLcp, ...peer, ratio: staticLcp / lcp },
    {
      job: `pages ${name} TBT`,
      unit: 'ms',
      ours: tbt,
      peer: limits.tbt,
      peer_name: 'limit',
      ratio: within(limits.tbt, tbt),
    },
    {
      job: `pages ${name} CLS`,
      unit: 'score',
      ours: cls,
      peer: limits.cls,
      peer_name: 'limit',
      ratio: within(limits.cls, cls),
    },
  ]
}

/** Opens a page on the slow phone with an empty cache. */
async function measure(
  browser: Browser,
  url: string,
  path: string,
  account: Account | null,
): Promise<Metrics> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: phoneSize,
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  })
  try {
    if (account) await enterAs(context, account)
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', network)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
    await page.addInitScript(watch)
    await page.goto(path, { waitUntil: 'load' })
    await page.waitForTimeout(watchedMs + 1_000)
    const isAlive = await page.evaluate(() => {
      const root = document.getElementById('root')
      return root === null || Object.keys(root).some((key) => key.startsWith('__react'))
    })
    const metrics = await read(page)
    if (!isAlive || metrics.lcp === 0) throw new Error(`${path} did not become interactive`)
    return metrics
  } finally {
    await context.close()
  }
}

interface Seen {
  lcp: number
  cls: number
  tasks: [start: number, duration: number][]
}

/**
 * Runs in the page before everything else. Contains no named function: the loader's helpers for those do not exist in
 * the page.
 */
function watch(): void {
  const seen: Seen = { lcp: 0, cls: 0, tasks: [] }
  Object.assign(window, { seen })
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value = 0, hadRecentInput } = entry as Shift
      if (entry.entryType === 'largest-contentful-paint') seen.lcp = entry.startTime
      else if (entry.entryType === 'longtask') seen.tasks.push([entry.startTime, entry.duration])
      else if (!hadRecentInput) seen.cls += value
    }
  })
  for (const type of ['largest-contentful-paint', 'layout-shift', 'longtask']) {
    observer.observe({ type, buffered: true })
  }
}

interface Shift extends PerformanceEntry {
  value?: number
  hadRecentInput?: boolean
}

interface Timings extends Seen {
  fcp: number
  loadedAt: number
  pageBytes: number
  files: { name: string; bytes: number }[]
}

async function read(page: Page): Promise<Metrics> {
  const { fcp, lcp, cls, tasks, loadedAt, pageBytes, files } = await page.evaluate((): Timings => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    return {
      ...(window as unknown as { seen: Seen }).seen,
      fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      loadedAt: navigation?.loadEventEnd ?? 0,
      pageBytes: navigation?.transferSize ?? 0,
      files: files.map(({ name, transferSize }) => ({ name, bytes: transferSize })),
    }
  })
  const counted = tasks.filter(([start]) => start >= fcp && start <= loadedAt + watchedMs)
  const sum = (list: Timings['files']) => list.reduce((total, { bytes }) => total + bytes, 0)
  return {
    fcp: Math.round(fcp),
    lcp: Math.round(lcp),
    tbt: Math.round(counted.reduce((total, [, duration]) => total + Math.max(0, duration - 50), 0)),
    cls: Math.round(cls * 1000) / 1000,
    bytes: pageBytes + sum(files),
    pageBytes,
    styleBytes: sum(files.filter(({ name }) => name.endsWith('.css'))),
  }
}

/** Serves a simple page of the same size: its HTML, its style sheet, and the rest as a deferred script. */
async function servePage({ bytes, pageBytes, styleBytes }: Metrics): Promise<Server> {
  const filler = (length: number) =>
    randomBytes(Math.max(0, length)).toString('base64').slice(0, Math.max(0, length))
  const text = `<h1>A page</h1><p>${'It says what it has to say. '.repeat(12)}</p>`
  const head =
    '<!doctype html><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/style.css">'
  const html = `${head}${text}<script src="/rest.js" defer></script><!--`
  const files: Record<string, [type: string, body: string]> = {
    '/': ['text/html', `${html}${filler(pageBytes - html.length - 300)}-->`],
    '/style.css': ['text/css', `body{font:1.25rem sans-serif}/*${filler(styleBytes - 300)}*/`],
    '/rest.js': ['text/javascript', `/*${filler(bytes - pageBytes - styleBytes - 300)}*/`],
  }
  const server = createServer((request, response) => {
    const [type, body] = files[request.url ?? ''] ?? ['text/plain', '']
    response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const result of await run()) console.log(JSON.stringify(result))
}
