/** After so long without a word from the receiver it is asked, ms: a standing car moves no watch. */
const askAfterMs = 8_000
/** A fix proves for so long that the device is there, ms. */
export const freshMs = 15_000
const lookEveryMs = 1_000

export type Locating = 'off' | 'asking' | 'live' | 'refused' | 'lost'

export interface FixListener {
  fix(coords: GeolocationCoordinates): void
  /** `lost` and `refused` also say that the last fix counts no more. */
  locating(state: Locating): void
}

/**
 * Follows where the device is until the returned function is called. Every fix is the receiver's own, never one it
 * gave before: when it has been silent for a while it is asked for a new one, and when it then has none, or fails,
 * the place is lost.
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
