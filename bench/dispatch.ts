import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'vite'
import { openBrowser } from '../e2e/harness/browser.ts'

const web = fileURLToPath(new URL('../apps/web/', import.meta.url))
/** What the issue allows, ms of work of the page's thread per frame. */
const limitMs = 8
const frameMs = 1000 / 60
const measuredMs = 20_000

interface DispatchLine {
  job: string
  unit: string
  ours: number
  peer: number
  peer_name: string
  ratio: number
  /** The 99th percentile, and the frame with the most work, ms. */
  p99_ms: number
  most_ms: number
}

/**
 * Work of the page's thread per frame (CPU time, 95th percentile) on the dispatch screen with 2,000 drivers who all move
 * every two seconds and 500 open bookings of which two change every second: with the queue only, and with an open booking.
 */
export async function run(): Promise<DispatchLine[]> {
  const folder = await mkdtemp(join(tmpdir(), 'hansom-dispatch-'))
  try {
    await buildPage(folder)
    const server = await serve(folder)
    const browser = await openBrowser({ graphics: true })
    try {
      const { port } = server.address() as AddressInfo
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.goto(`http://127.0.0.1:${port}/`)
      await page.locator('canvas').waitFor({ timeout: 60_000 })
      await page.waitForTimeout(5_000)
      const measure = async () => {
        await browser.startTracing(page, {
          categories: ['toplevel', 'disabled-by-default-devtools.timeline'],
        })
        await page.waitForTimeout(measuredMs)
        return framesOf(JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] })
      }
      const queue = await measure()
      await page.locator('[data-booking]').first().click()
      await page.waitForTimeout(3_000)
      return [lineOf('queue', queue), lineOf('open booking', await measure())]
    } finally {
      await browser.close()
      server.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface TraceEvent {
  name: string
  ph: string
  tid: number
  pid: number
  ts: number
  dur?: number
  tdur?: number
  args?: { name?: string }
}

/** Work of the page's thread in each frame of the trace, ms, ascending. */
function framesOf({ traceEvents }: { traceEvents: TraceEvent[] }): number[] {
  const tasksOf = new Map<string, TraceEvent[]>()
  const mains = traceEvents
    .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
    .map(({ pid, tid }) => `${pid} ${tid}`)
  for (const event of traceEvents) {
    const thread = `${event.pid} ${event.tid}`
    if (event.ph !== 'X' || !/RunTask/.test(event.name) || !mains.includes(thread)) continue
    tasksOf.set(thread, [...(tasksOf.get(thread) ?? []), event])
  }
  // The page's thread is the one with the most tasks; the browser may keep an empty page beside it.
  const tasks = [...tasksOf.values()].toSorted((a, b) => b.length - a.length)[0] ?? []
  const first = Math.min(...tasks.map(({ ts }) => ts))
  const frames = Array.from({ length: Math.floor(measuredMs / frameMs) }, () => 0)
  let end = 0
  for (const { ts, dur = 0, tdur = 0 } of tasks.toSorted((a, b) => a.ts - b.ts)) {
    // Two layers of the browser report each task: the inner one is already counted.
    if (ts < end) continue
    end = ts + dur
    const at = Math.floor((ts - first) / 1000 / frameMs)
    if (at < frames.length) frames[at] = (frames[at] ?? 0) + tdur / 1000
  }
  return frames.toSorted((a, b) => a - b)
}

function lineOf(name: string, frames: readonly number[]): DispatchLine {
  const at = (share: number) => Math.round((frames[Math.floor((frames.length - 1) * share)] ?? 0) * 10) / 10
  return {
    job: `dispatch, ${name}`,
    unit: 'ms/frame',
    ours: at(0.95),
    peer: limitMs,
    peer_name: 'the limit',
    ratio: Math.round((limitMs / Math.max(0.1, at(0.95))) * 100) / 100,
    p99_ms: at(0.99),
    most_ms: at(1),
  }
}

async function serve(folder: string): Promise<Server> {
  const types: Record<string, string> = { js: 'text/javascript', mjs: 'text/javascript', css: 'text/css' }
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const json = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (path === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    if (path.endsWith('/candidates')) return json(candidates)
    if (path.endsWith('/me')) return json(null)
    if (path.endsWith('/hold')) return json({ ok: true })
    if (path.endsWith('/tiles.json')) {
      return json({
        tilejson: '3.0.0',
        tiles: [`http://${request.headers.host}/tile/{z}/{x}/{y}`],
        minzoom: 8,
        maxzoom: 16,
      })
    }
    if (path.startsWith('/tile/')) return response.writeHead(204).end()
    readFile(join(folder, path)).then(
      (body) => {
        const extension = path.split('.').at(-1) ?? ''
        response.writeHead(200, { 'content-type': types[extension] ?? 'application/octet-stream' }).end(body)
      },
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Dispatch</title>
<link rel="stylesheet" href="/style.css"></head><body><div id="root"></div>
<script type="module" src="/page.js"></script></body></html>`

const candidates = Array.from({ length: 20 }, (_, index) => ({
  id: `driver-${1900 + index}`,
  name: `Driver number ${1900 + index}`,
  vehicle_number: `S${index}`,
  rating: 4.8,
  lat: -34.89 + index / 500,
  lng: -56.16,
  freeS: 0,
  arrivalS: 60 * (index + 1),
  km: index,
  asked: null,
  blocked: null,
}))

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
        input: join(web, 'src/app/dispatch-bench.tsx'),
        output: { entryFileNames: 'page.js', assetFileNames: '[name][extname]' },
      },
    },
  })
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const line of await run()) console.log(JSON.stringify(line))
}
