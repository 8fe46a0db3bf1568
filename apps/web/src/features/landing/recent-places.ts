import type { PlacePoint } from '@hansom/domain/booking/booking'

const storageKey = 'hansom-recent-places'
const kept = 5

/** The places chosen last on this device, newest first. */
export function recentPlaces(): PlacePoint[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? (stored as PlacePoint[]) : []
  } catch {
    return []
  }
}

/** Puts a place in front of the recent ones. */
export function rememberPlace(place: PlacePoint): void {
  const others = recentPlaces().filter(({ add }) => add !== place.add)
  try {
    localStorage.setItem(storageKey, JSON.stringify([place, ...others].slice(0, kept)))
  } catch {
    // Storage is closed to us: nothing is remembered.
  }
}
