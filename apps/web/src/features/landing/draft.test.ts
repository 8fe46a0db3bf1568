import { beforeEach, expect, it } from 'vitest'
import { type Draft, emptyDraft, keepDraft, keptDraft } from '../../lib/booking-draft.ts'
import { changeDraft } from './draft.ts'

const place = (add: string) => ({ lat: 0, lng: 0, add })
const chosen: Draft = { ...emptyDraft, pickup: place('A'), drop: place('B'), carTypeId: 'c' }

beforeEach(() => sessionStorage.clear())

it('swaps, sets and clears places', () => {
  expect(changeDraft(chosen, { type: 'swap' })).toEqual({ ...chosen, pickup: place('B'), drop: place('A') })
  expect(changeDraft(chosen, { type: 'place', which: 'drop', point: null }).drop).toBeNull()
  expect(changeDraft(chosen, { type: 'clear' })).toEqual(emptyDraft)
})

it('keeps the chosen time when the trip becomes one for now', () => {
  const later = changeDraft(chosen, { type: 'later', later: true, at: '2026-11-21T14:30' })
  expect(changeDraft(later, { type: 'later', later: false })).toEqual({ ...later, later: false })
})

it('survives a reload of the tab, and a store that holds nonsense', () => {
  keepDraft(chosen)
  expect(keptDraft()).toEqual(chosen)
  sessionStorage.setItem('hansom-draft', '{')
  expect(keptDraft()).toEqual(emptyDraft)
})
