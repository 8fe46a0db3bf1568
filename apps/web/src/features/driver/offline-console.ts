import type { BookingView } from '@hansom/contract/bookings'
import type { UserBoot } from '@hansom/contract/boot'
import type { PublicSettings } from '@hansom/contract/settings'
import type { DriverState } from '@hansom/contract/tracking'
import { useEffect } from 'react'
import { serverNow, serverSpeed } from '../../lib/clock.ts'
import { currentMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { loadModal } from '../../ui/modal.tsx'

/** The service worker's names; see `service-worker.ts`. */
const consoleCache = 'hansom-console'
const stateUrl = '/offline/user'

/**
 * Keeps the console usable without a connection: stores its state whenever it changes, and registers the service worker,
 * which keeps its files. `bookings`: the driver's open ones.
 */
export function useOfflineConsole(
  bookings: readonly BookingView[] | undefined,
  driver: DriverState | undefined,
): void {
  const settings = useSettings()
  useEffect(() => {
    if (!bookings || !driver) return
    void storeState(bookings, driver).catch(() => {})
  }, [bookings, driver])
  const isReady = bookings !== undefined && driver !== undefined
  useEffect(() => {
    if (!isReady) return
    void keepFiles(settings).catch(() => {})
  }, [isReady, settings])
}

async function storeState(bookings: readonly BookingView[], driver: DriverState): Promise<void> {
  const me = currentMe()
  if (me === null || !('caches' in globalThis)) return
  const clock = { now: serverNow(), speed: serverSpeed() }
  const user: UserBoot = { me, clock, first: { driver, topics: { bookings, requests: [] } } }
  const cache = await caches.open(consoleCache)
  await cache.put(stateUrl, new Response(JSON.stringify({ user, at: Date.now() })))
}

/** Registers the worker, and asks it to keep what the console has loaded and will need. */
async function keepFiles(settings: PublicSettings): Promise<void> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return
  await navigator.serviceWorker.register('/sw.js')
  const needed = await Promise.all([
    loadModal(),
    ...(settings.category === 'delivery' ? proofParts(settings) : []),
  ])
  const { active } = await navigator.serviceWorker.ready
  const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
  const keep = new Set(
    loaded.flatMap(({ origin, pathname }) =>
      origin === location.origin && pathname.startsWith('/assets/') ? [pathname] : [],
    ),
  )
  for (const path of needed) if (typeof path === 'string') keep.add(path)
  active?.postMessage({ keep: [...keep] })
}

/** Loads the parts of the proof sheet that the settings use; resolves with paths of further files. */
function proofParts({ deliverySignature, deliveryScan }: PublicSettings): Promise<unknown>[] {
  return [
    import('./proof-sheet.tsx'),
    ...(deliverySignature ? [import('./signature-field.tsx')] : []),
    ...(deliveryScan ? [import('./scan-camera.tsx').then(({ wasm }) => wasm)] : []),
  ]
}
