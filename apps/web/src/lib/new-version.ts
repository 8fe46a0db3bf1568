import { useSyncExternalStore } from 'react'

let isReady = false
const listeners = new Set<() => void>()
/** How often an open page asks for a new version, ms. */
const askMs = 3_600_000

let isWatching = false
/**
 * Notices when the server has a newer version of the app than this page, from the first call on. Pages are never reloaded by
 * themselves.
 */
export function watchForUpdate(registration: ServiceWorkerRegistration): void {
  if (isWatching) return
  isWatching = true
  registration.addEventListener('updatefound', () => {
    // The first worker of this device is not an update.
    if (navigator.serviceWorker.controller === null) return
    isReady = true
    for (const listener of listeners) listener()
  })
  setInterval(() => void registration.update().catch(() => {}), askMs)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** True when reloading the page gives a newer version. */
export const useNewVersion = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => isReady,
    () => false,
  )
