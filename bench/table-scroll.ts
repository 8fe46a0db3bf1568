import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { CDPSession, Page } from 'playwright-core'
import { build } from 'vite'
import { openBrowser } from '../e2e/harness/browser.ts'
import { rowCount, rowHeight, servePages } from './table-scroll/pages.ts'

const web = fileURLToPath(new URL('../apps/web/', import.meta.url))
/**
 * Rows per frame. At 60 frames per second, `wheel` is 6,240 pixels per second, a fast turn of the wheel; `race` is
 * 37,440, with new rows in every other frame.
 */
const speeds = { wheel: 2, race: 12 }
const passFrames = 300
/** Time limit of a pass, for any number of frames, ms. */
const passMs = 7000
/** Time limit of all passes, ms. What was not measured by then counts as no movement. */
const totalMs = 90_000

export interface ScrollLine {
  job: string
  unit: string
  ours: number
  peer: number
  peer_name: string
  ratio: number
  /** Results at the first row, in the middle of the 100,000 rows, and at the last, in the job's unit. */
  places: number[]
  /** 95th percentile of the time between frames at the worst place, ms. */
  p95_ms: number
}

interface Pass {
  rate: number
  p95: number
  /** Work of the page's thread per frame, ms of CPU time, independent of other load. */
  work: number
}

const noMovement: Pass = { rate: 0, p95: passMs, work: passMs }

/**
 * Frames per second while a table of 100,000 rows is scrolled in Chromium, and the page's work per frame: at its first
 * rows, which come from a server page by page, in the middle, and down to the last. Ten columns, a checkbox, editable
 * cells and a menu; the worst place counts. Chromium renders without a graphics card. The peer is a list with as many
 * rows and cells that only shows text, without a library; 60 frames per second is the maximum.
 */
export async function run(): Promise<ScrollLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hansom-table-'))
  try {
    await buildPage(folder)
    const server = await servePages(folder)
    const browser = await openBrowser({ graphics: false })
    const limit = setTimeout(() => void browser.close(), totalMs)
    try {
      const { port } = server.address() as AddressInfo
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
      const at = (path: string) => `http://127.0.0.1:${port}${path}`
      const scroll = (step: number, from: number) => pass(page, devtools, step * rowHeight, from)
      const lines: ScrollLine[] = []
      for (const [name, rows] of Object.entries(speeds)) {
        const ours: Pass[] = []
        let height = 750
        for (const [path, from] of placesOf(rows)) {
          const isThere = await open(page, at(path))
          if (isThere) height = await heightOf(page)
          ours.push(isThere ? await scroll(rows, from) : noMovement)
        }
        const isBare = await open(page, at(`/bare?height=${height}`))
        const peer = isBare ? await scroll(rows, (rowCount / 2) * rowHeight) : noMovement
        lines.push(...linesOf(name, ours, peer))
      }
      return lines
    } finally {
      clearTimeout(limit)
      await browser.close()
      server.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Start positions, px from the top: at the beginning, in the middle, and so that the pass reaches the end. */
function placesOf(rows: number): [path: string, from: number][] {
  const last = (rowCount - rows * passFrames) * rowHeight
  return [
    ['/', 0],
    ['/?loaded', (rowCount / 2) * rowHeight],
    ['/?loaded', last],
  ]
}

function linesOf(name: string, ours: readonly Pass[], peer: Pass): ScrollLine[] {
  const p95_ms = rounded(Math.max(...ours.map(({ p95 }) => p95)))
  const shared = { peer_name: 'a bare list', p95_ms }
  const rates = ours.map(({ rate }) => rounded(rate))
  const works = ours.map(({ work }) => rounded(work))
  const [slowest, mostWork] = [Math.min(...rates), Math.max(...works)]
  const ratio = (of: number, to: number) => Math.round((of / to) * 100) / 100
  return [
    {
      ...shared,
      job: `table-scroll ${name}`,
      unit: 'frames/s',
      ours: slowest,
      peer: rounded(peer.rate),
      ratio: ratio(slowest, peer.rate),
      places: rates,
    },
    {
      ...shared,
      job: `table-scroll ${name}, work`,
      unit: 'ms/frame',
      ours: mostWork,
      peer: rounded(peer.work),
      ratio: ratio(peer.work, mostWork),
      places: works,
    },
  ]
}

const rounded = (value: number) => Math.round(value * 10) / 10

/** Opens the page; returns true when rows are shown. */
async function open(page: Page, url: string): Promise<boolean> {
  try {
    await page.goto(url)
    await page.waitForSelector('[role="rowheader"], .row', { timeout: 20_000 })
    return true
  } catch (error) {
    console.error(`${url}: ${String(error)}`)
    return false
  }
}

const heightOf = (page: Page) =>
  page.evaluate(() => document.querySelector('[data-scroller]')?.clientHeight ?? 0)

/** Scrolls `step` pixels per frame until the pass is over or the end is reached. */
async function pass(page: Page, devtools: CDPSession, step: number, from: number): Promise<Pass> {
  const worked = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  try {
    await page.evaluate(async (to) => {
      const scroller = document.querySelector('[data-scroller]')
      if (scroller) scroller.scrollTop = to
      for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame)
    }, from)
    const before = await worked()
    const frames = await page.evaluate(
      async ({ step, passFrames, passMs }) => {
        const scroller = document.querySelector('[data-scroller]')
        if (!scroller) throw new Error('nothing to scroll')
        const frames: number[] = []
        const startedAt = await new Promise<number>(requestAnimationFrame)
        let last = startedAt
        let top = -1
        while (frames.length < passFrames && last - startedAt < passMs && scroller.scrollTop !== top) {
          top = scroller.scrollTop
          scroller.scrollTop += step
          const now = await new Promise<number>(requestAnimationFrame)
          frames.push(now - last)
          last = now
        }
        return frames
      },
      { step, passFrames, passMs },
    )
    const work = ((await worked()) - before) / frames.length
    const total = frames.reduce((sum, frame) => sum + frame, 0)
    const p95 = frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)] ?? passMs
    return { rate: (frames.length * 1000) / total, p95, work }
  } catch (error) {
    console.error(String(error))
    return noMovement
  }
}

async function buildPage(folder: string): Promise<void> {
  await build({
    configFile: join(web, 'vite.config.ts'),
    root: web,
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: join(web, 'src/app/table-scroll-bench.tsx'),
        output: { entryFileNames: 'page.js', assetFileNames: '[name][extname]' },
      },
    },
  })
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const line of await run()) console.log(JSON.stringify(line))
}
