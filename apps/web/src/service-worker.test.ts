import { beforeEach, expect, it, vi } from 'vitest'

type Handler = (event: Record<string, unknown>) => void
const handlers = new Map<string, Handler>()
const stored = new Map<string, Map<string, Response>>()
const origin = 'https://rides.example'
const pathOf = (key: RequestInfo) => new URL(typeof key === 'string' ? key : key.url, origin).pathname
/** Responses of the server; without one, the connection is down. */
let answers: Record<string, () => Response> = {}
let heard: string[] = []
interface Shown {
  title: string
  tag: string
  data: { navigate: string; id: string | null }
  close(): void
}
/** The notifications that the device shows. */
let shown: Shown[] = []
/** The open windows, and what they were sent. */
let windows: { url: string; focused: boolean; sent: unknown[] }[] = []
let unsubscribed = 0

const cacheOf = (name: string) => {
  const entries = stored.get(name) ?? new Map<string, Response>()
  stored.set(name, entries)
  return {
    match: async (key: RequestInfo) => entries.get(pathOf(key))?.clone(),
    put: async (key: RequestInfo, response: Response) => void entries.set(pathOf(key), response),
  }
}

beforeEach(async () => {
  vi.resetModules()
  handlers.clear()
  stored.clear()
  answers = {}
  heard = []
  shown = []
  windows = []
  unsubscribed = 0
  vi.stubGlobal('registration', {
    showNotification: async (title: string, { tag, data }: Pick<Shown, 'tag' | 'data'>) => {
      shown = shown.filter((one) => one.tag !== tag)
      const close = () => (shown = shown.filter((one) => one.tag !== tag))
      shown.push({ title, tag, data, close })
    },
    getNotifications: async ({ tag }: { tag?: string } = {}) =>
      shown.filter((one) => tag === undefined || one.tag === tag),
    pushManager: { getSubscription: async () => ({ unsubscribe: async () => void unsubscribed++ }) },
  })
  vi.stubGlobal('BUILD', 'new')
  vi.stubGlobal('location', new URL(origin))
  vi.stubGlobal('clients', {
    claim: async () => {},
    matchAll: async () =>
      windows.map((window) => ({
        ...window,
        focus: async () => {},
        postMessage: (message: unknown) => window.sent.push(message),
      })),
    openWindow: async (url: string) => void windows.push({ url, focused: true, sent: [] }),
  })
  vi.stubGlobal('addEventListener', (type: string, handler: Handler) => handlers.set(type, handler))
  vi.stubGlobal('caches', {
    open: async (name: string) => cacheOf(name),
    keys: async () => [...stored.keys()],
    delete: async (name: string) => stored.delete(name),
    match: async (key: RequestInfo) => {
      for (const entries of stored.values()) {
        const found = entries.get(pathOf(key))
        if (found) return found.clone()
      }
      return undefined
    },
  })
  vi.stubGlobal('fetch', async (key: RequestInfo) => {
    heard.push(pathOf(key))
    const answer = answers[pathOf(key)]
    if (!answer) throw new TypeError('Failed to fetch')
    return answer()
  })
  await import('./service-worker.ts')
  return () => vi.unstubAllGlobals()
})

/** The worker's response; undefined if it leaves the request alone. */
async function ask(path: string, { mode = 'cors', method = 'GET' } = {}): Promise<Response | undefined> {
  let response: Promise<Response> | undefined
  const request = { url: new URL(path, origin).href, mode, method }
  handlers.get('fetch')?.({ request, respondWith: (given: Promise<Response>) => (response = given) })
  return response
}
async function keep(...paths: string[]): Promise<void> {
  let work: unknown
  handlers.get('message')?.({ data: { keep: paths }, waitUntil: (given: unknown) => (work = given) })
  await work
}
const open = (path: string) => ask(path, { mode: 'navigate' })
const html = (user: object) =>
  `<body><script type="application/json" id="boot">"old"</script><script type="application/json" id="user">${JSON.stringify(user)}</script></body>`
const page = (user: object) => () =>
  new Response(html(user), { headers: { 'content-security-policy': "default-src 'self'" } })
const saveState = (user: object) =>
  cacheOf('hansom-pages').put(
    '/offline/state',
    new Response(JSON.stringify({ boot: { texts: [] }, user, kept: { entries: ['trip'] }, at: Date.now() })),
  )
const state = { me: 'driver', clock: { now: 1000, speed: 1 }, first: 'last state </script>' }

it('requests other than the shell -> left alone', async () => {
  for (const path of ['/api/v1/bookings', '/tiles/1', 'https://elsewhere.example/assets/a.js']) {
    expect(await ask(path)).toBeUndefined()
  }
  expect(await open('/settings')).toBeUndefined()
})

it('bookings: online -> from the server; offline -> the last page with the last state and its policy', async () => {
  await saveState(state)
  answers['/bookings'] = page({ me: 'first state' })
  await keep()
  answers['/bookings'] = page({ me: 'newer page' })
  expect(await (await open('/bookings'))?.text()).toContain('newer page')
  answers = {}
  const offline = await open('/bookings')
  const text = (await offline?.text()) ?? ''
  const dataOf = (id: string) =>
    [...text.matchAll(new RegExp(`id="${id}">(.*?)</script>`, 'g'))].map(([, json]) => JSON.parse(json ?? ''))
  expect(dataOf('user')).toMatchObject([{ me: 'driver', first: 'last state </script>' }])
  expect(dataOf('boot')).toEqual([{ texts: [] }])
  expect(dataOf('kept')).toEqual([{ entries: ['trip'] }])
  expect(offline?.headers.get('content-security-policy')).toBe("default-src 'self'")
  for (const path of ['/trip/01914de9', '/wallet'])
    expect(await (await open(path))?.text()).toContain('last state')
  expect((await open('/'))?.headers.get('location')).toContain('/bookings')
})

it('offline without a stored page -> the error of the connection', async () => {
  await expect(open('/bookings')).rejects.toThrow('Failed to fetch')
})

it('page of another user -> not stored without the state of an app that keeps it', async () => {
  answers['/bookings'] = page({ me: 'an admin' })
  await open('/bookings')
  expect(stored.get('hansom-pages')?.has('/bookings') ?? false).toBe(false)
})

it('assets: kept ones and those used once -> without a request; earlier builds removed', async () => {
  cacheOf('hansom-shell-old')
  answers['/assets/a.js'] = () => new Response('a')
  answers['/assets/b.js'] = () => new Response('b')
  await keep('/assets/a.js')
  await ask('/assets/b.js')
  answers = {}
  heard = []
  expect(await (await ask('/assets/a.js'))?.text()).toBe('a')
  expect(await (await ask('/assets/b.js'))?.text()).toBe('b')
  expect(heard).toEqual([])
  expect([...stored.keys()].sort()).toEqual(['hansom-pages', 'hansom-shell-new'])
})

it('asset that the release removed -> its error is not stored', async () => {
  answers['/assets/gone.js'] = () => new Response('none', { status: 404 })
  expect((await ask('/assets/gone.js'))?.status).toBe(404)
  answers['/assets/gone.js'] = () => new Response('back')
  expect(await (await ask('/assets/gone.js'))?.text()).toBe('back')
})

it('sign-out while a page is loading -> the page is not stored', async () => {
  await saveState(state)
  answers['/bookings'] = page({ me: 'driver' })
  await keep()
  answers['/api/auth/sign-out'] = () => new Response('ok')
  const waiting: ((page: Response) => void)[] = []
  vi.stubGlobal('fetch', async (key: RequestInfo) =>
    pathOf(key) === '/bookings'
      ? new Promise<Response>((resolve) => waiting.push(resolve))
      : new Response('ok'),
  )
  const loading = open('/bookings')
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  await ask('/api/auth/sign-out', { method: 'POST' })
  waiting[0]?.(page({ me: 'the former user' })())
  await loading
  expect(stored.get('hansom-pages')?.size ?? 0).toBe(0)
})

it('sign-out or sign-in -> everything stored is removed; refused -> kept', async () => {
  await saveState(state)
  answers['/api/auth/sign-out'] = () => new Response('no', { status: 500 })
  await ask('/api/auth/sign-out', { method: 'POST' })
  expect(stored.size).toBe(1)
  answers['/api/auth/sign-out'] = () => new Response('ok')
  await ask('/api/auth/sign-out', { method: 'POST' })
  expect(stored.size).toBe(0)
})

/** Runs an event's handler to its end. */
async function dispatch(type: string, event: object): Promise<void> {
  let work: unknown
  handlers.get(type)?.({ ...event, waitUntil: (given: unknown) => (work = given) })
  await work
}
const receive = (message: object) => dispatch('push', { data: { json: () => message } })
const message = (tag: string, path = '/trip/1') => ({
  notification: {
    title: `about ${tag}`,
    tag,
    navigate: `${origin}${path}`,
    data: { kind: 'trip', id: `id of ${tag}`, at: 1 },
  },
})

it('push -> shown with its page; a repeat with the same tag replaces it', async () => {
  await receive(message('a'))
  await receive(message('a'))
  await receive(message('b'))
  expect(shown.map(({ title }) => title)).toEqual(['about a', 'about b'])
  expect(shown[0]?.data).toMatchObject({ navigate: `${origin}/trip/1`, id: 'id of a' })
})

it('push about the page in front of the user -> not shown; another page, or in the background -> shown', async () => {
  windows = [{ url: `${origin}/trip/1?x=1`, focused: true, sent: [] }]
  await receive(message('a'))
  expect(shown).toEqual([])
  await receive(message('b', '/wallet'))
  windows = [{ url: `${origin}/trip/1`, focused: false, sent: [] }]
  await receive(message('c'))
  expect(shown.map(({ tag }) => tag)).toEqual(['b', 'c'])
})

it('handled elsewhere -> closed; others stay', async () => {
  await receive(message('a'))
  await receive(message('b'))
  await receive({ close: { tags: ['a', 'unknown'] } })
  expect(shown.map(({ tag }) => tag)).toEqual(['b'])
})

it('notification pressed -> an open window goes to its page, and it is read; none open -> a new one', async () => {
  windows = [{ url: `${origin}/wallet`, focused: false, sent: [] }]
  const posted: unknown[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => posted.push([path, init.body]))
  await receive(message('a', '/trip/1?chat=open'))
  await dispatch('notificationclick', { notification: shown[0] })
  expect(windows[0]?.sent).toEqual([{ open: '/trip/1?chat=open' }])
  expect(posted).toEqual([['/api/v1/me/notifications/read', '{"ids":["id of a"]}']])
  expect(shown).toEqual([])
  windows = []
  await receive(message('b'))
  await dispatch('notificationclick', { notification: shown[0] })
  expect(windows.map(({ url }) => url)).toEqual([`${origin}/trip/1`])
})

it('sign-out -> no subscription and no notification stays; sign-in -> the subscription stays', async () => {
  await receive(message('a'))
  answers['/api/auth/sign-in/email'] = () => new Response('ok')
  await ask('/api/auth/sign-in/email', { method: 'POST' })
  expect([shown.length, unsubscribed]).toEqual([0, 0])
  await receive(message('a'))
  answers['/api/auth/sign-out'] = () => new Response('ok')
  await ask('/api/auth/sign-out', { method: 'POST' })
  expect([shown.length, unsubscribed]).toEqual([0, 1])
})
