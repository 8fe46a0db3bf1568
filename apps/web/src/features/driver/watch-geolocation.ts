import type { Position } from '@hansom/contract/tracking'
import { useEffect, useRef, useState } from 'react'
import { serverNow } from '../../lib/clock.ts'
import type { DriverOutbox } from './offline-queue.ts'

/** Silence after which the receiver is queried, ms: a stationary car triggers no watch events. */
const askAfterMs = 8_000
/** Lifetime of a fix, ms. */
export const freshMs = 15_000
const lookEveryMs = 1_000

export type Locating = 'off' | 'asking' | 'live' | 'refused' | 'lost'

export interface FixListener {
  fix(coords: GeolocationCoordinates): void
  /** `lost` and `refused` also invalidate the last fix. */
  locating(state: Locating): void
}

/**
 * Follows the device's position until the returned function is called. Every fix is fresh, never cached: after a
 * silence the receiver is queried for a new one, and if it has none or fails, the position is lost.
 */
export function watchFixes(geolocation: Geolocation, listener: FixListener): () => void {
  let fixedAt = performance.now()
  let askedAt = fixedAt
  let state: Locating = 'asking'
  const tell = (next: Locating) => {
    if (next === state) return
    state = next
    listener.locating(next)
  }
  const take = ({ coords }: GeolocationPosition) => {
    fixedAt = performance.now()
    tell('live')
    listener.fix(coords)
  }
  const fail = (error: GeolocationPositionError) => {
    if (error.code === error.PERMISSION_DENIED) tell('refused')
    else if (error.code === error.POSITION_UNAVAILABLE) tell('lost')
  }
  const look = () => {
    const now = performance.now()
    if (state !== 'refused' && now - fixedAt >= freshMs) tell('lost')
    if (now - Math.max(fixedAt, askedAt) < askAfterMs) return
    askedAt = now
    geolocation.getCurrentPosition(take, fail, {
      enableHighAccuracy: true,
      maximumAge: 0,
      timeout: askAfterMs,
    })
  }
  const watch = geolocation.watchPosition(take, fail, {
    enableHighAccuracy: true,
    maximumAge: 0,
    timeout: 20_000,
  })
  const timer = setInterval(look, lookEveryMs)
  return () => {
    clearInterval(timer)
    geolocation.clearWatch(watch)
  }
}

/** Pause after a failure, ms. */
const retryMs = 3_000

/**
 * Reports the device's position to the server every `everyMs` while `active`. Positions taken offline are sent later in
 * order. Keeps the screen on meanwhile, if the browser can. `fixedSince` is when `locating` became live, epoch ms on the
 * device's clock, or null.
 */
export function useOwnPosition(
  active: boolean,
  everyMs: number,
  outbox: DriverOutbox,
): { position: Position | null; locating: Locating; fixedSince: number | null } {
  const [position, setPosition] = useState<Position | null>(null)
  const [locating, setLocating] = useState<Locating>('off')
  const [fixedSince, setFixedSince] = useState<number | null>(null)
  const latest = useRef<{ position: Position; fixedAt: number } | null>(null)

  useEffect(() => {
    latest.current = null
    setFixedSince(null)
    if (!active) {
      setLocating('off')
      return
    }
    if (!('geolocation' in navigator)) {
      setLocating('refused')
      return
    }
    setLocating('asking')
    return watchFixes(navigator.geolocation, {
      fix: (coords) => {
        const fix = toPosition(coords)
        latest.current = { position: fix, fixedAt: performance.now() }
        setPosition(fix)
      },
      locating: (state) => {
        if (state === 'lost' || state === 'refused') latest.current = null
        setLocating(state)
        setFixedSince(state === 'live' ? Date.now() : null)
      },
    })
  }, [active])

  useEffect(() => {
    if (!active) return
    let resting = 0
    const tick = () => {
      const fix = latest.current
      latest.current = null
      if (fix && performance.now() - fix.fixedAt < freshMs) outbox.positions.add(fix.position)
      if (outbox.positions.busy || performance.now() < resting) return
      outbox.flushPositions().catch(() => {
        resting = performance.now() + retryMs
      })
    }
    const timer = setInterval(tick, everyMs)
    return () => clearInterval(timer)
  }, [active, everyMs, outbox])

  useScreenAwake(active)
  return { position, locating, fixedSince }
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

/** Keeps the screen on; requests it again when the page becomes visible. Does nothing in browsers without wake lock. */
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
