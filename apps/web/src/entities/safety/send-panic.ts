import { isTemporary } from '@hansom/client/api-error'
import { newIdempotencyKey } from '@hansom/client/idempotent-call'
import type { LatLng } from '@hansom/domain/geo/point'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../../lib/api.ts'

/** How long the alarm waits for the device's position, ms. */
const locateMs = 2_500
const retryMs = 2_000

/**
 * Sends the alarm of a trip. Without a connection it is sent again, with the same key, until the server answers. `own` is the
 * position of this device if the page follows it; otherwise the device is asked for it.
 */
export function useSendPanic(id: string, own: LatLng | null) {
  const pressed = useRef<{ key: string; position: Promise<LatLng | null> } | null>(null)
  return useMutation({
    // Paused mutations wait for the browser's own opinion of the connection.
    networkMode: 'always',
    retry: (_failures, error) => isTemporary(error),
    retryDelay: retryMs,
    mutationFn: async () => {
      pressed.current ??= { key: newIdempotencyKey(), position: own ? Promise.resolve(own) : locate() }
      const { key, position } = pressed.current
      const found = await position
      return api.safety.panic({ id, position: found }, { context: { idempotencyKey: key } })
    },
    onSettled: () => {
      pressed.current = null
    },
  })
}

/** The device's position, or null if it does not give one in time. */
function locate(): Promise<LatLng | null> {
  const { geolocation } = navigator
  if (!geolocation) return Promise.resolve(null)
  return new Promise((resolve) => {
    // The browser's own time limit does not include the question to the user.
    const timer = setTimeout(() => resolve(null), locateMs)
    const end = (found: LatLng | null) => {
      clearTimeout(timer)
      resolve(found)
    }
    geolocation.getCurrentPosition(
      ({ coords: { latitude: lat, longitude: lng } }) => end({ lat, lng }),
      () => end(null),
      { enableHighAccuracy: true, maximumAge: 30_000, timeout: locateMs },
    )
  })
}
