import { isTemporary } from '@hansom/client/api-error'
import type { Boot, UserBoot } from '@hansom/contract/boot'
import type { QueryState } from '@tanstack/react-query'
import { serverNow, serverSpeed } from '../lib/clock.ts'
import { loadedTexts } from '../lib/i18n.ts'
import { knownTopics } from '../lib/live.ts'
import { watchForUpdate } from '../lib/new-version.ts'
import { queryClient } from '../lib/query-client.ts'
import { currentMe, hasLeft, onSessionChange } from '../lib/session.ts'
import { currentSettings } from '../lib/settings.ts'
import { buildOf, type KeepMessage, pagesCache, stateUrl } from '../lib/stored-pages.ts'
import { loadParts } from '../ui/lazy-part.tsx'
import { loadModal } from '../ui/modal.tsx'
import { openTrips, pathOf } from './open-trips.ts'
import { DriverCancelDialog } from './role-parts.ts'
import type { createAppRouter } from './router.tsx'
import type { KeptData } from './start-page.ts'

/** The data that stays readable without a connection: the user's bookings, wallet and notifications, and the catalogue. */
const keptData = [
  'users.me',
  'users.wallet',
  'users.notifications',
  'bookings.get',
  'bookings.list',
  'tracking.state',
  'carTypes.list',
  'cancelReasons.list',
]
/** The most recently updated entries that are kept. */
const maxEntries = 60
/** The shortest time between two writes, ms. */
const writeMs = 3_000

/**
 * Keeps the pages of a rider or driver usable without a connection, as soon as they need it: for a driver, in the installed
 * app, and during a trip. Registers the service worker, loads the code and texts of these pages, and stores their data
 * whenever it changes.
 */
export function keepOffline(router: ReturnType<typeof createAppRouter>): void {
  if (!('serviceWorker' in navigator) || !('caches' in globalThis)) return
  void forgetOthers().catch(() => {})
  let isKeeping = false
  let waiting: ReturnType<typeof setTimeout> | undefined
  const write = () => {
    waiting = undefined
    void storeState().catch(() => {})
  }
  const update = () => {
    if (currentMe() === null) return
    if (!isKeeping && isWanted()) {
      isKeeping = true
      void keepFiles(router).catch(() => {
        // Without a connection; tried again with the next change.
        isKeeping = false
      })
    }
    if (isKeeping) waiting ??= setTimeout(write, writeMs)
  }
  queryClient.getQueryCache().subscribe(({ type }) => {
    if (type === 'updated') update()
  })
  // What was about to be written belongs to the former user; the worker has removed the rest.
  onSessionChange(() => {
    clearTimeout(waiting)
    waiting = undefined
    isKeeping = false
    void caches.delete(pagesCache)
  })
  addEventListener('pagehide', () => {
    if (waiting !== undefined) write()
  })
  update()
}

/** Removes what is stored of another user: their session may have ended without the worker's knowledge. */
async function forgetOthers(): Promise<void> {
  const stored = await (await caches.open(pagesCache)).match(stateUrl)
  const { user } = stored ? ((await stored.json()) as { user: UserBoot }) : { user: null }
  if (user?.me.uid !== currentMe()?.uid) await caches.delete(pagesCache)
}

function isWanted(): boolean {
  const role = currentMe()?.usertype
  if (role === 'driver') return true
  return role === 'rider' && (matchMedia('(display-mode: standalone)').matches || openTrips().length > 0)
}

/** Also data that could not be read again without a connection; not what the server refuses now. */
export const isReadable = ({ data, error }: QueryState<unknown, Error>) =>
  data !== undefined && (error === null || isTemporary(error))

async function storeState(): Promise<void> {
  const me = currentMe()
  if (me === null || hasLeft(me.uid)) return
  const entries = queryClient
    .getQueryCache()
    .getAll()
    .filter((query) => isReadable(query.state) && keptData.includes(pathOf(query)))
    .sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .slice(0, maxEntries)
  const boot: Boot = { settings: currentSettings(), ...loadedTexts() }
  const user: UserBoot = {
    me,
    clock: { now: serverNow(), speed: serverSpeed() },
    first: { topics: knownTopics() },
  }
  const kept: KeptData = {
    at: serverNow(),
    entries: entries.map(({ queryKey, state }) => [queryKey, state.data, state.dataUpdatedAt]),
  }
  const cache = await caches.open(pagesCache)
  // They may have signed out meanwhile.
  if (currentMe()?.uid !== me.uid || hasLeft(me.uid)) return
  await cache.put(stateUrl, new Response(JSON.stringify({ boot, user, kept, at: Date.now() })))
}

/** Registers the worker, and asks it to keep what this page has loaded and what the other pages need. */
async function keepFiles(router: ReturnType<typeof createAppRouter>): Promise<void> {
  if (!import.meta.env.PROD) return
  watchForUpdate(await navigator.serviceWorker.register('/sw.js'))
  const trips = openTrips().map(({ id }) => router.preloadRoute({ to: '/trip/$id', params: { id } }))
  await Promise.all([
    loadModal(),
    router.preloadRoute({ to: '/bookings' }),
    router.preloadRoute({ to: '/wallet' }),
    prefetchLists(),
    ...trips,
  ])
  await loadLaterParts()
  const registration = await navigator.serviceWorker.ready
  const build = buildOf(document.head.innerHTML)
  if (build === null) return
  // A later release may have replaced the worker: it gets all of them.
  const send = () => registration.active?.postMessage({ build, keep: [...loaded] } satisfies KeepMessage)
  if (loaded.size > 0) return send()
  // Also the files that the page loads from now on, before the worker controls it. One for all users of the page.
  new PerformanceObserver((list) => {
    const known = loaded.size
    for (const path of filesIn(list.getEntries())) loaded.add(path)
    if (loaded.size > known) send()
  }).observe({ type: 'resource', buffered: true })
}

/** Paths of the files that the page has loaded, once they are observed. */
const loaded = new Set<string>()

/** Loads what a trip opens later, such as the chat: after an update, the server no longer has this build's files. */
async function loadLaterParts(): Promise<void> {
  await Promise.all([
    loadParts(['notifications', 'chat', 'safety', 'push', 'offline', 'unsent']),
    import('../entities/users/leave.ts'),
    currentMe()?.usertype === 'driver'
      ? DriverCancelDialog.load()
      : import('../features/payments/payment-dialog.tsx'),
  ])
}

/** Loads the lists of pages that the user has not opened yet. */
async function prefetchLists(): Promise<void> {
  const [{ historyOptions }, { walletHistory }] = await Promise.all([
    import('../features/bookings/list/bookings-screen.tsx'),
    import('../features/wallet/wallet-screen.tsx'),
  ])
  await Promise.all([
    queryClient.prefetchInfiniteQuery(historyOptions('all')),
    queryClient.prefetchInfiniteQuery(walletHistory),
  ])
}

const filesIn = (loaded: readonly PerformanceEntry[]): string[] =>
  loaded
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'))
    .map(({ pathname }) => pathname)
