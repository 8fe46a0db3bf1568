import { buildOf, type KeepMessage, ownCaches, pagesCache, stateUrl } from '../lib/stored-pages.ts'
import { openPages, worker } from './worker.ts'

const storedPath = '/bookings'
/** The pages that open without a connection; the front page then leads to the bookings. */
const offlinePages = /^\/(bookings|wallet|trip\/[\w-]+)?$/
/** Whether the path is one of the app's pages. Those that are not kept say so themselves. */
export const isPage = (path: string) => !/^\/(api|assets)\/|\.\w+$/.test(path)
/** The files of the shell whose names are the same in every build. */
export const fixedFiles = ['/theme.js', '/early-press.js', '/favicon.svg']
/** After this time without a response the stored page is shown, ms. */
const patienceMs = 8000

/** The files of one build, with a mark for each page that uses them, and one when all were stored. */
const shells = `${ownCaches}shell-`
const shellOf = (build: string) => shells + build.slice(build.lastIndexOf('/') + 1)
const pageMark = '/offline/page/'
const completeMark = '/offline/complete'

const matching = { ignoreVary: true }
/** Messages are handled one after another. */
let last: Promise<void> = Promise.resolve()

/** Stores the files of the open page with this id. */
export function keep(message: KeepMessage, page: string): Promise<void> {
  const before = last
  last = (async () => {
    await before.catch(() => {})
    await storeFiles(message, page)
  })()
  return last
}

async function storeFiles({ build, keep }: KeepMessage, page: string): Promise<void> {
  const shell = await caches.open(shellOf(build))
  await shell.put(pageMark + page, new Response())
  const stored = await Promise.all(
    [...new Set([build, ...fixedFiles, ...keep])].map((path) => store(shell, path)),
  )
  if (stored.every(Boolean)) await shell.put(completeMark, new Response())
  const pages = await caches.open(pagesCache)
  if ((await storedBuild(pages)) !== build) {
    const response = await fetch(storedPath).catch(() => null)
    if (response?.ok && !response.redirected) await storePage(pages, response)
  }
  await removeShells(build, await storedBuild(pages))
}

/** Stores a file unless it is there; false if it cannot be had. */
async function store(shell: Cache, path: string): Promise<boolean> {
  if (await shell.match(path, matching)) return true
  const response = await fetch(path).catch(() => null)
  if (!response?.ok || response.redirected) return false
  // A cache that is removed meanwhile takes what is put into it along.
  await shell.put(path, response)
  return true
}

const storedBuild = async (pages: Cache): Promise<string | null> =>
  buildOf((await (await pages.match(storedPath, matching))?.text()) ?? '')

/** Stores the start page without anyone's data, once all files of its build are there: else it could not open. */
async function storePage(pages: Cache, response: Response): Promise<void> {
  const html = (await response.text()).replaceAll(
    /<script type="application\/json" id="(?:boot|user)">[\s\S]*?<\/script>/g,
    '',
  )
  const build = buildOf(html)
  if (build === null || !(await (await caches.open(shellOf(build))).match(completeMark))) return
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' })
  const policy = response.headers.get('content-security-policy')
  if (policy) headers.set('content-security-policy', policy)
  await pages.put(storedPath, new Response(html, { headers }))
}

/** Removes the files of other builds, except those of open pages and of the stored page. */
async function removeShells(build: string, stored: string | null): Promise<void> {
  const open = new Set((await openPages()).map(({ id }) => pageMark + id))
  const needed = [build, stored].flatMap((one) => (one === null ? [] : shellOf(one)))
  for (const name of await caches.keys()) {
    if (!name.startsWith(shells)) continue
    const shell = await caches.open(name)
    const paths = (await shell.keys()).map(({ url }) => new URL(url).pathname)
    const marks = paths.filter((path) => path.startsWith(pageMark))
    if (needed.includes(name) || marks.some((mark) => open.has(mark))) {
      for (const mark of marks) if (!open.has(mark)) await shell.delete(mark)
    } else await caches.delete(name)
  }
}

/** A file with a hash in its name never changes. Pages report what they load, so it is not stored here. */
export async function hashedFile(request: Request): Promise<Response> {
  return (await caches.match(request, matching)) ?? fetch(request)
}

export async function fixedFile(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await caches.match(request, matching)
    if (!kept) throw error
    return kept
  }
}

/** A server that is not there, or has lost its database, answers so itself or through its proxy. */
const isOutage = ({ status }: Response) => status >= 502 && status <= 504

/** The page from the server; without a connection or in an outage, the stored page with the last data. */
export async function page(request: Request, path: string): Promise<Response> {
  if (!offlinePages.test(path)) return otherPage(request)
  const stored = await storedPage()
  if (!stored) return fetch(request)
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), patienceMs))
  const response = await Promise.race([fetch(request).catch(() => null), late])
  if (response && !isOutage(response)) return response
  return path === '/' ? Response.redirect(worker.location.origin + storedPath) : stored
}

/** A page that is not kept: without a connection or in an outage, the app opens and leads to the kept ones. */
async function otherPage(request: Request): Promise<Response> {
  const response = await fetch(request).catch((error: unknown) => ({ error }))
  if (response instanceof Response && !isOutage(response)) return response
  const stored = await storedPage()
  if (stored) return stored
  if (response instanceof Response) return response
  throw response.error
}

interface StoredState {
  boot: unknown
  user: { clock: { now: number; speed: number } }
  kept: unknown
  at: number
}

/** The stored page with the app's last data; null if there is none. */
async function storedPage(): Promise<Response | null> {
  const cache = await caches.open(pagesCache)
  const [sent, state] = await Promise.all([cache.match(storedPath, matching), cache.match(stateUrl)])
  if (!sent || !state) return null
  const { boot, user, kept, at } = (await state.json()) as StoredState
  user.clock.now += (Date.now() - at) * user.clock.speed
  const data = Object.entries({ boot, user, kept }).map(
    ([id, value]) => `<script type="application/json" id="${id}">${jsonOf(value)}</script>`,
  )
  const html = (await sent.text()).replace('</body>', () => `${data.join('')}</body>`)
  return new Response(html, { headers: sent.headers })
}

/** JSON for a script element. */
const jsonOf = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')
