import type { PlacePoint } from '@hansom/domain/bookings/booking'

/** The booking form's state. Survives sign-in and reload. */
export interface Draft {
  pickup: PlacePoint | null
  drop: PlacePoint | null
  carTypeId: string | null
  later: boolean
  /** Wall-clock time in the city, "2026-11-21T14:30"; empty until chosen. */
  at: string
}

export const emptyDraft: Draft = { pickup: null, drop: null, carTypeId: null, later: false, at: '' }

const storageKey = 'hansom-draft'

/** Stores the draft for this tab. */
export function storeDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(draft))
  } catch {
    // Storage is unavailable: the draft lasts until the page is closed.
  }
}

/** The stored draft of this tab, or an empty one. */
export function storedDraft(): Draft {
  try {
    const stored = sessionStorage.getItem(storageKey)
    return stored ? { ...emptyDraft, ...(JSON.parse(stored) as Partial<Draft>) } : emptyDraft
  } catch {
    return emptyDraft
  }
}
