import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'

export const rowCount = 100_000
export const rowHeight = 52
const pageRows = 100
const cellCount = 12

const types: Record<string, string> = { js: 'text/javascript', css: 'text/css' }

/**
 * Serves the test pages: `/` is the table with rows from the server, page by page, `/?loaded` the table with all rows
 * loaded, `/bare?height=` the minimal list with as many rows and cells.
 */
export async function servePages(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const send = (type: string, body: string | Buffer) => {
      response.writeHead(200, { 'content-type': type }).end(body)
    }
    if (url.pathname === '/rows') {
      const pages = url.search === '?all' ? everyPage() : pageAfter(Number(url.searchParams.get('after')))
      return send('application/json', JSON.stringify(pages))
    }
    if (url.pathname === '/') return send('text/html', htmlPage(table))
    if (url.pathname === '/bare')
      return send('text/html', htmlPage(bareList(Number(url.searchParams.get('height')))))
    const extension = url.pathname.split('.').at(-1) ?? ''
    readFile(join(folder, url.pathname)).then(
      (body) => send(types[extension] ?? 'application/octet-stream', body),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

const table = '<div id="root"></div><script type="module" src="/page.js"></script>'

function htmlPage(body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Table</title>
<link rel="stylesheet" href="/style.css"></head><body>${body}</body></html>`
}

/** Rows of the same height and number of cells with text only: no library, selection, editing or buttons. */
function bareList(height: number): string {
  return `<style>
.row { position: absolute; inline-size: 100%; block-size: ${rowHeight}px; display: grid;
  grid-template-columns: repeat(${cellCount}, 1fr); contain: layout style size }
.row > div { padding-inline: 14px; border-block-end: 1px solid #ddd; overflow: hidden; white-space: nowrap }
</style>
<div data-scroller style="block-size:${height}px;overflow:auto">
  <div role="list" style="position:relative;block-size:${rowCount * rowHeight}px"></div></div>
<script>
  const scroller = document.querySelector('[data-scroller]'), list = scroller.firstElementChild, drawn = new Map()
  function draw() {
    const first = Math.max(0, Math.floor(scroller.scrollTop / ${rowHeight}) - 8)
    const end = Math.min(${rowCount}, first + Math.ceil(scroller.clientHeight / ${rowHeight}) + 16)
    for (const [at, row] of drawn) if (at < first || at >= end) { row.remove(); drawn.delete(at) }
    for (let at = first; at < end; at++) {
      if (drawn.has(at)) continue
      const row = document.createElement('div')
      row.className = 'row'
      row.style.transform = 'translateY(' + at * ${rowHeight} + 'px)'
      for (let cell = 0; cell < ${cellCount}; cell++) {
        row.append(Object.assign(document.createElement('div'), { textContent: 'word ' + cell + ' of ' + at }))
      }
      list.append(row)
      drawn.set(at, row)
    }
  }
  scroller.addEventListener('scroll', draw)
  draw()
</script>`
}

function everyPage() {
  return Array.from({ length: rowCount / pageRows }, (_, page) => pageAfter(page * pageRows))
}

function pageAfter(from: number) {
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
  return { items, next: next < rowCount ? String(next) : null }
}
