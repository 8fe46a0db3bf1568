import { createServer, type Server } from 'node:http'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { openBrowser } from '../e2e/harness/browser.ts'

const web = fileURLToPath(new URL('../apps/web/', import.meta.url))
const rowCount = 100_000
const pageRows = 100
const rowHeight = 52
/** 37,000 pixels a second: most of the window is new at every frame. */
const rowsPerFrame = 12

export interface ScrollLine {
  job: string
  unit: string
  ours: number
  peer: number
  peer_name: string
  ratio: number
  /** Of 95 and of 99 frames in a hundred, ms from one to the next. */
  p95_ms: number
  p99_ms: number
  /** What the page's thread works for a frame, ms of its own time: 20 would be 50 frames a second however busy the machine. */
  cpu_ms: number
  rows: number
}

/**
 * Frames a second while a table of 100,000 rows is scrolled from its first to its last row, page by page from a server, in
 * Chromium; ten columns, a box to select and editable cells. The limit is the same scroller with nothing in it.
 */
export async function run(): Promise<ScrollLine> {
  const folder = await mkdtemp(join(tmpdir(), 'hansom-table-'))
  const browser = await openBrowser()
  try {
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
    const server = await serve(folder)
    try {
      const { port } = server.address() as AddressInfo
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.goto(`http://127.0.0.1:${port}/`)
      await page.waitForSelector('[role="rowheader"]')
      const table = await scrollToEnd(page, '[data-scroller]')
      await page.goto(`http://127.0.0.1:${port}/empty`)
      const empty = await scrollToEnd(page, '[data-scroller]')
      return {
        job: 'table-scroll',
        unit: 'frames/s',
        ours: Math.round(table.rate * 10) / 10,
        peer: Math.round(empty.rate * 10) / 10,
        peer_name: 'the same scroller, empty',
        ratio: Math.round((table.rate / empty.rate) * 100) / 100,
        p95_ms: table.p95,
        p99_ms: table.p99,
        cpu_ms: table.cpu,
        rows: table.rows,
      }
    } finally {
      server.close()
    }
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Scrolls so many rows a frame, down to the last one; waits where rows are still on their way. */
async function scrollToEnd(page: Page, selector: string) {
  const run = { selector, step: rowsPerFrame * rowHeight, end: rowCount * rowHeight }
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  const before = await worked()
  const { frames, at } = await page.evaluate(async ({ selector, step, end }) => {
    const scroller = document.querySelector(selector)
    if (!scroller) throw new Error('nothing to scroll')
    const frames: number[] = []
    let before = await new Promise<number>(requestAnimationFrame)
    const startedAt = before
    // The header and the window's own height end below the last row.
    while (scroller.scrollTop < end - 2 * scroller.clientHeight && before - startedAt < 300_000) {
      scroller.scrollTop += step
      const now = await new Promise<number>(requestAnimationFrame)
      frames.push(now - before)
      before = now
    }
    return { frames, at: scroller.scrollTop }
  }, run)
  const cpu = (await worked()) - before
  const sorted = frames.toSorted((a, b) => a - b)
  const part = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
  const total = frames.reduce((sum, frame) => sum + frame, 0)
  return {
    rate: (frames.length * 1000) / total,
    p95: part(0.95),
    p99: part(0.99),
    cpu: Math.round((cpu / frames.length) * 10) / 10,
    rows: Math.round(at / rowHeight),
  }
}

const types: Record<string, string> = { js: 'text/javascript', css: 'text/css' }

async function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const send = (type: string, body: string | Buffer) => {
      response.writeHead(200, { 'content-type': type }).end(body)
    }
    if (url.pathname === '/rows') return send('application/json', rowsAfter(url.searchParams.get('after')))
    if (url.pathname === '/') return send('text/html', htmlPage('<div id="root"></div>'))
    if (url.pathname === '/empty') return send('text/html', htmlPage(emptyScroller))
    const extension = url.pathname.split('.').at(-1) ?? ''
    readFile(join(folder, url.pathname)).then(
      (body) => send(types[extension] ?? 'application/octet-stream', body),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const emptyScroller = `<div data-scroller style="block-size:680px;overflow:auto">
  <div style="block-size:${rowCount * rowHeight}px"></div></div>`

function htmlPage(body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Table</title>
<link rel="stylesheet" href="/style.css">${body.includes('root') ? '<script type="module" src="/page.js"></script>' : ''}
</head><body>${body}</body></html>`
}

function rowsAfter(cursor: string | null): string {
  const from = Number(cursor ?? 0)
  const items = Array.from({ length: Math.min(pageRows, rowCount - from) }, (_, at) => {
    const number = from + at
    return {
      id: `row-${number}`,
      name: `Person number ${number}`,
      words: Array.from({ length: 6 }, (_, word) => `word ${word} of ${number}`),
      plate: `S${number}`,
      amount: number * 10_000,
      on: number % 3 === 0,
    }
  })
  const next = from + items.length
  return JSON.stringify({ items, next: next < rowCount ? String(next) : null })
}
