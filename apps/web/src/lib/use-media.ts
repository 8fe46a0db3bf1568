import { useCallback, useSyncExternalStore } from 'react'

/** Whether the window matches a media query; updates with it. False on the prerendered page. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = window.matchMedia(query)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [query],
  )
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(query).matches,
    () => false,
  )
}

/** Whether the user asked the system for less motion. */
export const useReducedMotion = () => useMedia('(prefers-reduced-motion: reduce)')
