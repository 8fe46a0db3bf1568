import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { currentMe } from '../../../lib/session.ts'

const storageKey = 'hansom-recent-places'
const kept = 5

interface Stored {
  /** The user who chose them; null for a visitor. */
  uid: string | null
  places: PlacePoint[]
}

/**
 * Recently chosen places on this device, newest first. A visitor's places pass to the user who signs in and are never
 * shown to anyone else, because they may include a home address.
 */
export function recentPlaces(): PlacePoint[] {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Partial<Stored> | null
    if (!Array.isArray(stored?.places)) return []
    if (stored.uid === null || stored.uid === currentMe()?.uid) return stored.places
    localStorage.removeItem(storageKey)
    return []
  } catch {
    return []
  }
}

/** Adds a place in front. */
export function rememberPlace(place: PlacePoint): void {
  const others = recentPlaces().filter(({ add }) => add !== place.add)
  const remembered: Stored = { uid: currentMe()?.uid ?? null, places: [place, ...others].slice(0, kept) }
  try {
    localStorage.setItem(storageKey, JSON.stringify(remembered))
  } catch {
    // Storage is unavailable: nothing is remembered.
  }
}
