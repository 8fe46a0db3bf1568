import { useSyncExternalStore } from 'react'

/** Whether the device reports that it is offline. */
export function useDeviceOffline(): boolean {
  return useSyncExternalStore(
    onDeviceLine,
    () => !navigator.onLine,
    () => false,
  )
}

function onDeviceLine(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
