import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { currentMe } from '../../../lib/session.ts'

const storageKey = 'hansom-recent-places'
const kept = 5

interface Kept {
  /** Who chose them; null: somebody who was not signed in. */
  uid: string | null
  places: PlacePoint[]
}

/**
 * The places chosen last on this device, newest first. They go with whoever signs in, and are not told to anybody else
 * after that: a home is among them.
 */
export function recentPlaces(): PlacePoint[] {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Partial<Kept> | null
    if (!Array.isArray(stored?.places)) return []
    if (stored.uid === null || stored.uid === currentMe()?.uid) return stored.places
    localStorage.removeItem(storageKey)
    return []
  } catch {
    return []
  }
}

/** Puts a place in front of the recent ones. */
export function rememberPlace(place: PlacePoint): void {
  const others = recentPlaces().filter(({ add }) => add !== place.add)
  const remembered: Kept = { uid: currentMe()?.uid ?? null, places: [place, ...others].slice(0, kept) }
  try {
    localStorage.setItem(storageKey, JSON.stringify(remembered))
  } catch {
    // Storage is closed to us: nothing is remembered.
  }
}
