// The script of /sw.js: pages without a connection, and notifications. It has no imports, because it is a classic script; its
// own caches are named below.

/** Replaced by the build: changes with every release. */
declare const BUILD: string

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface PushEvent extends WorkerEvent {
  data: { json(): unknown } | null
}
interface ClickEvent extends WorkerEvent {
  notification: Notification
}
interface Page {
  url: string
  focused: boolean
  visibilityState: string
  focus(): Promise<unknown>
  postMessage(message: unknown): void
}
interface FetchEvent extends WorkerEvent {
  request: Request
  respondWith(response: Promise<Response>): void
}

/** What a page asks the worker to keep: paths of its files. */
interface KeepMessage {
  keep: string[]
}

const worker = globalThis as unknown as {
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void
  addEventListener(type: 'message', listener: (event: WorkerEvent & { data: KeepMessage }) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void
  clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<Page[]>
    openWindow(url: string): Promise<unknown>
  }
  registration: Pick<ServiceWorkerRegistration, 'getNotifications' | 'pushManager' | 'showNotification'>
  skipWaiting(): Promise<void>
  location: Location
}

const own = 'hansom-'
const shell = `${own}shell-${BUILD}`
/** A page of the signed-in user, and what the app last stored under `stateUrl` (`app/keep-offline`). */
const pagesCache = `${own}pages`
const stateUrl = '/offline/state'
const storedPath = '/bookings'
/** The pages that open without a connection; the front page then leads to the bookings. */
const offlinePages = /^\/(bookings|wallet|trip\/[\w-]+)?$/
const files = ['/theme.js', '/early-press.js', '/favicon.svg', '/manifest.webmanifest']
/** After this time without a response the stored page is shown, ms. */
const patienceMs = 8000
/** Counts how often everything was removed: a response from before is not stored afterwards. */
let clearings = 0

// Open pages go on with the files that they have loaded, so a new worker need not wait for them to close.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))

worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('message', (event) => event.waitUntil(keep(event.data.keep)))

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== worker.location.origin) return
  if (request.method !== 'GET') {
    // The next user of this device must not see the former one's pages.
    if (pathname.startsWith('/api/auth/')) event.respondWith(clearAfter(request))
  } else if (request.mode === 'navigate') {
    if (offlinePages.test(pathname)) event.respondWith(page(request, pathname))
  } else if (pathname.startsWith('/assets/')) event.respondWith(hashedFile(request))
  else if (files.includes(pathname)) event.respondWith(file(request))
})

/** Stores the files of the open page and of the shell; earlier builds are no longer needed then. */
async function keep(paths: readonly string[]): Promise<void> {
  const [cache, pages] = await Promise.all([caches.open(shell), caches.open(pagesCache)])
  // A cache that is removed meanwhile takes what is put into it along.
  const add = async (into: Cache, path: string) => {
    const response = await fetch(path).catch(() => null)
    if (response?.ok && !response.redirected) await into.put(path, response)
  }
  await Promise.all(
    [...files, ...paths].map(async (path) => {
      if (!(await cache.match(path, { ignoreVary: true }))) await add(cache, path)
    }),
  )
  if (!(await pages.match(storedPath, { ignoreVary: true }))) await add(pages, storedPath)
  for (const name of await caches.keys()) {
    if (name.startsWith(own) && name !== shell && name !== pagesCache) await caches.delete(name)
  }
}

/** A file with a hash in its name never changes. */
async function hashedFile(request: Request): Promise<Response> {
  const kept = await caches.match(request, { ignoreVary: true })
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok) await (await caches.open(shell)).put(request, response.clone())
  return response
}

async function file(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await caches.match(request, { ignoreVary: true })
    if (!kept) throw error
    return kept
  }
}

/** The page from the server; without a connection, the stored page with the last data. */
async function page(request: Request, path: string): Promise<Response> {
  const stored = await storedPage()
  const begun = clearings
  try {
    const late = new Promise<never>((_resolve, reject) => {
      if (stored) setTimeout(() => reject(new Error('no response')), patienceMs)
    })
    const response = await Promise.race([fetch(request), late])
    if (response.ok && path === storedPath && stored && clearings === begun) {
      await (await caches.open(pagesCache)).put(storedPath, response.clone())
    }
    return response
  } catch (error) {
    if (!stored) throw error
    return path === '/' ? Response.redirect(worker.location.origin + storedPath) : stored
  }
}

interface StoredState {
  boot: unknown
  user: { clock: { now: number; speed: number } }
  kept: unknown
  at: number
}

/** The stored page with the app's last data in place of the one it was sent with; null if there is none. */
async function storedPage(): Promise<Response | null> {
  const cache = await caches.open(pagesCache)
  const [sent, state] = await Promise.all([
    cache.match(storedPath, { ignoreVary: true }),
    cache.match(stateUrl),
  ])
  if (!sent || !state) return null
  const { boot, user, kept, at } = (await state.json()) as StoredState
  user.clock.now += (Date.now() - at) * user.clock.speed
  const data = Object.entries({ boot, user, kept }).map(
    ([id, value]) => `<script type="application/json" id="${id}">${jsonOf(value)}</script>`,
  )
  const html = (await sent.text())
    .replaceAll(/<script type="application\/json" id="(?:boot|user)">[\s\S]*?<\/script>/g, '')
    .replace('</body>', () => `${data.join('')}</body>`)
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' })
  const policy = sent.headers.get('content-security-policy')
  if (policy) headers.set('content-security-policy', policy)
  return new Response(html, { headers })
}

/** JSON for a script element. */
const jsonOf = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

/** What is read of a message; `WebMessage` of the domain describes it. */
interface Message {
  notification?: {
    title: string
    body: string
    navigate: string
    tag: string
    lang: string
    dir: 'ltr' | 'rtl'
    silent: boolean
    renotify: boolean
    requireInteraction: boolean
    data: { kind: string; id: string | null; at: number }
  }
  close?: { tags: string[] }
}

worker.addEventListener('push', (event) => {
  const { notification, close } = (event.data?.json() ?? {}) as Message
  if (close) event.waitUntil(closeTags(close.tags))
  if (notification) event.waitUntil(show(notification))
})

/** Shows a notification, unless the page it leads to is open in front of the user. */
async function show({ title, navigate, data, ...rest }: NonNullable<Message['notification']>): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const path = new URL(navigate).pathname
  const isInFront = pages.some(({ url, focused }) => focused && new URL(url).pathname === path)
  if (isInFront && data.kind !== 'test') return
  await worker.registration.showNotification(title, {
    ...rest,
    icon: '/icons/192.png',
    badge: '/icons/badge.png',
    timestamp: data.at,
    vibrate: data.kind === 'requests' ? [300, 100, 300, 100, 300] : [200],
    data: { ...data, navigate },
  } as NotificationOptions)
}

async function closeTags(tags: readonly string[]): Promise<void> {
  for (const tag of tags) {
    for (const shown of await worker.registration.getNotifications({ tag })) shown.close()
  }
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const { id, navigate } = event.notification.data as { id: string | null; navigate: string }
  event.waitUntil(Promise.all([open(navigate), id === null ? null : markRead(id)]))
})

/** An open page goes to the notification's page without a reload; otherwise the app opens there. */
async function open(url: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find(({ url: shown }) => shown === url) ?? pages[0]
  if (!page) return void (await worker.clients.openWindow(url))
  await page.focus()
  const { pathname, search } = new URL(url)
  page.postMessage({ open: pathname + search })
}

/** The page that opens marks it too; without a connection neither does. */
async function markRead(id: string): Promise<void> {
  await fetch('/api/v1/me/notifications/read', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids: [id] }),
  }).catch(() => {})
}

/** Signing in or out removes everything that was stored. */
async function clearAfter(request: Request): Promise<Response> {
  const response = await fetch(request)
  if (!response.ok) return response
  clearings += 1
  for (const name of await caches.keys()) if (name.startsWith(own)) await caches.delete(name)
  for (const shown of await worker.registration.getNotifications()) shown.close()
  // The server has forgotten the session's devices; the browser must not receive what is still on its way.
  if (new URL(request.url).pathname === '/api/auth/sign-out') {
    await (await worker.registration.pushManager.getSubscription())?.unsubscribe()
  }
  return response
}

// For the compiler only: the build removes it.
export {}
