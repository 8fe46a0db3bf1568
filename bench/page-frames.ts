import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { openBrowser } from '../e2e/harness/browser.ts'

const web = fileURLToPath(new URL('../apps/web/', import.meta.url))
const frameMs = 1000 / 60

interface BenchPage {
  page: Page
  /** Records for `ms` and returns the work of the page's thread in each frame (CPU time), ms, ascending. */
  frames: (ms: number) => Promise<number[]>
}

/**
 * Builds a page of `apps/web/src/app`, serves it with an empty map and the JSON `answers` by the end of the path, and
 * calls `work` with a function that opens it in a browser and waits for the map.
 */
export async function withBenchPage<T>(
  entry: string,
  answers: Record<string, unknown>,
  work: (
    open: (path: string, viewport: { width: number; height: number }) => Promise<BenchPage>,
  ) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hansom-page-'))
  try {
    await buildPage(entry, folder)
    const server = await serve(folder, answers)
    const browser = await openBrowser({ graphics: true })
    try {
      const { port } = server.address() as AddressInfo
      return await work(async (path, viewport) => {
        const page = await browser.newPage({ viewport })
        await page.goto(`http://127.0.0.1:${port}${path}`)
        await page.locator('canvas').waitFor({ timeout: 60_000 })
        return { page, frames: (ms) => recordFrames(browser, page, ms) }
      })
    } finally {
      await browser.close()
      server.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The value below which `share` of the ascending `frames` are, rounded to a tenth. */
export function atShare(frames: readonly number[], share: number): number {
  return Math.round((frames[Math.floor((frames.length - 1) * share)] ?? 0) * 10) / 10
}

async function recordFrames(browser: Browser, page: Page, ms: number): Promise<number[]> {
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline'] })
  await page.waitForTimeout(ms)
  return framesOf(JSON.parse(String(await browser.stopTracing())) as { traceEvents: TraceEvent[] }, ms)
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

function framesOf({ traceEvents }: { traceEvents: TraceEvent[] }, measuredMs: number): number[] {
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

async function serve(folder: string, answers: Record<string, unknown>): Promise<Server> {
  const types: Record<string, string> = { js: 'text/javascript', mjs: 'text/javascript', css: 'text/css' }
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const json = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (path === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    const known = Object.keys(answers).find((end) => path.endsWith(end))
    if (known !== undefined) return json(answers[known])
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

const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Benchmark</title>
<link rel="stylesheet" href="/style.css"></head><body><div id="root"></div>
<script type="module" src="/page.js"></script></body></html>`

async function buildPage(entry: string, folder: string): Promise<void> {
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
        input: join(web, 'src/app', entry),
        output: { entryFileNames: 'page.js', assetFileNames: '[name][extname]' },
      },
    },
  })
}
