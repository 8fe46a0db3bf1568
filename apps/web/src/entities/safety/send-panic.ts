import { isTemporary } from '@hansom/client/api-error'
import { newIdempotencyKey } from '@hansom/client/idempotent-call'
import type { LatLng } from '@hansom/domain/geo/point'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { api } from '../../lib/api.ts'
import { KeptFor } from '../../lib/per-user-storage.ts'
import { currentMe, useMe } from '../../lib/session.ts'
import { keptAlarm, pressMs } from '../../lib/stored-keys.ts'

/** How long the alarm waits for the device's position, ms. */
const locateMs = 2_500
const retryMs = 2_000

/** Until the server answers, even where the browser believes that there is no connection, while the user is here. */
export const untilAnswered = (uid: string | undefined, until: () => number = () => Infinity) =>
  ({
    networkMode: 'always',
    retry: (_failures: number, error: Error) =>
      isTemporary(error) && currentMe()?.uid === uid && Date.now() < until(),
    retryDelay: retryMs,
  }) as const

/** A press that the server has not answered; a page that is loaded again sends it. */
interface Press {
  booking: string
  key: string
  position: LatLng | null
  /** Epoch ms. */
  at: number
}

/**
 * Sends the alarm of a trip. Without a connection it is sent again, with the same key, until the server answers, also after the
 * page was loaded again. `own` is the position of this device if the page follows it; otherwise the device is asked for it.
 */
export function useSendPanic(id: string, own: LatLng | null) {
  const uid = useMe()?.uid
  const kept = useMemo(
    () => (uid === undefined ? null : new KeptFor<Press>(localStorage, keptAlarm, uid)),
    [uid],
  )
  const pressed = useRef<{ key: string; position: Promise<LatLng | null>; at: number } | null>(null)
  const panic = useMutation({
    ...untilAnswered(uid, () => (pressed.current?.at ?? 0) + pressMs),
    mutationFn: async () => {
      if (pressed.current === null) {
        const [key, at] = [newIdempotencyKey(), Date.now()]
        kept?.write([{ booking: id, key, position: own, at }])
        pressed.current = { key, position: own ? Promise.resolve(own) : locate(), at }
      }
      const { key, position, at } = pressed.current
      const found = await position
      kept?.write([{ booking: id, key, position: found, at }])
      return api.safety.panic({ id, position: found }, { context: { idempotencyKey: key } })
    },
    onSettled: () => {
      pressed.current = null
      kept?.write([])
    },
  })
  const { mutate } = panic
  useEffect(() => {
    const last = kept?.read().find(({ booking, at }) => booking === id && Date.now() - at < pressMs)
    if (!last || pressed.current !== null) return
    pressed.current = { key: last.key, position: Promise.resolve(last.position), at: last.at }
    mutate()
  }, [kept, id, mutate])
  return panic
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
