import type { Position } from '@hansom/contract/tracking'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { serverNow } from '../../lib/clock.ts'
import { PositionQueue } from './position-queue.ts'

/** A standing car says where it is this often, so that it is still asked. */
const stillMs = 8_000

export type Locating = 'off' | 'asking' | 'live' | 'refused' | 'lost'

/**
 * Where this device is, told to the server every `everyMs` while `active`. Positions taken without a line are kept
 * and sent in order. The screen is kept awake meanwhile, where the browser can.
 */
export function useOwnPosition(
  active: boolean,
  everyMs: number,
): { position: Position | null; locating: Locating } {
  const [position, setPosition] = useState<Position | null>(null)
  const [locating, setLocating] = useState<Locating>('off')
  const latest = useRef<Position | null>(null)
  const queue = useRef(new PositionQueue((positions) => api.tracking.report({ positions })))

  useEffect(() => {
    if (!active) {
      setLocating('off')
      return
    }
    if (!('geolocation' in navigator)) {
      setLocating('refused')
      return
    }
    setLocating('asking')
    const watch = navigator.geolocation.watchPosition(
      ({ coords }) => {
        latest.current = toPosition(coords)
        setPosition(latest.current)
        setLocating('live')
      },
      (error) => setLocating(error.code === error.PERMISSION_DENIED ? 'refused' : 'lost'),
      { enableHighAccuracy: true, maximumAge: 2_000, timeout: 20_000 },
    )
    return () => navigator.geolocation.clearWatch(watch)
  }, [active])

  useEffect(() => {
    if (!active) return
    let sent: Position | null = null
    let sentAt = 0
    const timer = setInterval(() => {
      const now = latest.current
      if (now && (now !== sent || performance.now() - sentAt > stillMs)) {
        sent = now
        sentAt = performance.now()
        queue.current.add({ ...now, at: serverNow() })
      }
      void queue.current.flush(
        (error) => error instanceof ApiError && error.status >= 400 && error.status < 429,
      )
    }, everyMs)
    return () => clearInterval(timer)
  }, [active, everyMs])

  useScreenAwake(active)
  return { position, locating }
}

function toPosition(coords: GeolocationCoordinates): Position {
  const { latitude, longitude, heading, speed, accuracy } = coords
  return {
    lat: latitude,
    lng: longitude,
    at: serverNow(),
    bearing: heading === null || Number.isNaN(heading) ? null : heading,
    speed: speed === null ? null : Math.min(400, speed * 3.6),
    accuracy: Math.min(100_000, accuracy),
  }
}

/** Keeps the screen on; asks again when the page comes back into sight. Browsers without it go on as before. */
function useScreenAwake(active: boolean): void {
  useEffect(() => {
    if (!active || !('wakeLock' in navigator)) return
    let lock: WakeLockSentinel | null = null
    let over = false
    const ask = async () => {
      if (document.visibilityState !== 'visible') return
      const got = await navigator.wakeLock.request('screen').catch(() => null)
      if (over) void got?.release()
      else lock = got
    }
    void ask()
    document.addEventListener('visibilitychange', ask)
    return () => {
      over = true
      document.removeEventListener('visibilitychange', ask)
      void lock?.release()
    }
  }, [active])
}
