import type { LatLng } from '@hansom/domain/geo/point'
import { useCallback, useEffect, useState } from 'react'

/** `asked`: the browser would prompt; `refused`: denied, or unsupported. */
export type LocationState = 'unknown' | 'asked' | 'refused' | 'allowed'

/** The user's location. The browser prompts only when `ask` is called, unless it was allowed before. */
export function useLocation(): { state: LocationState; position: LatLng | null; ask: () => void } {
  const [state, setState] = useState<LocationState>('unknown')
  const [position, setPosition] = useState<LatLng | null>(null)

  const ask = useCallback(() => {
    if (!('geolocation' in navigator)) return setState('refused')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setPosition({ lat: coords.latitude, lng: coords.longitude })
        setState('allowed')
      },
      () => setState('refused'),
      { timeout: 10_000, maximumAge: 600_000 },
    )
  }, [])

  useEffect(() => {
    let gone = false
    const look = async () => {
      const permission = await navigator.permissions?.query({ name: 'geolocation' })
      if (gone || !permission) return
      if (permission.state === 'granted') ask()
      else setState(permission.state === 'denied' ? 'refused' : 'asked')
    }
    if (!('geolocation' in navigator)) setState('refused')
    else if (!('permissions' in navigator)) setState('asked')
    else look().catch(() => setState('asked'))
    return () => {
      gone = true
    }
  }, [ask])

  return { state, position, ask }
}
