import type { PlacePoint } from '@hansom/domain/booking/booking'

/** What a visitor has chosen so far. Survives signing in and a reload. */
export interface Draft {
  pickup: PlacePoint | null
  drop: PlacePoint | null
  carTypeId: string | null
  later: boolean
  /** Wall-clock time in the city, "2026-11-21T14:30"; empty until chosen. */
  at: string
}

export const emptyDraft: Draft = { pickup: null, drop: null, carTypeId: null, later: false, at: '' }

export type Place = 'pickup' | 'drop'

export type DraftChange =
  | { type: 'place'; which: Place; point: PlacePoint | null }
  | { type: 'swap' }
  | { type: 'car'; id: string }
  | { type: 'later'; later: boolean; at?: string }
  | { type: 'at'; at: string }
  | { type: 'clear' }

/** The draft after a change. Pure. */
export function changeDraft(draft: Draft, change: DraftChange): Draft {
  switch (change.type) {
    case 'place':
      return { ...draft, [change.which]: change.point }
    case 'swap':
      return { ...draft, pickup: draft.drop, drop: draft.pickup }
    case 'car':
      return { ...draft, carTypeId: change.id }
    case 'later':
      return { ...draft, later: change.later, at: change.at ?? draft.at }
    case 'at':
      return { ...draft, at: change.at }
    case 'clear':
      return emptyDraft
  }
}

const storageKey = 'hansom-draft'

/** Keeps the draft for this tab. */
export function keepDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(draft))
  } catch {
    // Storage is closed to us: the draft lives as long as the page.
  }
}

/** The draft of this tab, or an empty one. */
export function keptDraft(): Draft {
  try {
    const stored = sessionStorage.getItem(storageKey)
    return stored ? { ...emptyDraft, ...(JSON.parse(stored) as Partial<Draft>) } : emptyDraft
  } catch {
    return emptyDraft
  }
}
