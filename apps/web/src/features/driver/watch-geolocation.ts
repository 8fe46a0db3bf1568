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
