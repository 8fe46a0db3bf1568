import type { PlacePoint } from '@hansom/domain/booking/booking'
import { type Draft, emptyDraft } from '../../lib/booking-draft.ts'

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
