import type { Me } from '@hansom/contract/users'
import { beforeEach, expect, it } from 'vitest'
import { type Draft, emptyDraft, storeDraft, storedDraft } from '../../../entities/bookings/booking-draft.ts'
import { storeMe } from '../../../lib/session.ts'
import { bookingRefusal, changeDraft } from './draft.ts'
import { changeDrops } from './parcel-draft.ts'

const place = (add: string, lat = 0) => ({ lat, lng: 0, add })
const chosen: Draft = { ...emptyDraft, pickup: place('A'), drop: place('B', 1), carTypeId: 'c' }

beforeEach(() => {
  sessionStorage.clear()
  storeMe(null)
})

it('places -> set, swapped and cleared', () => {
  expect(changeDraft(chosen, { type: 'swap' })).toEqual({
    ...chosen,
    pickup: place('B', 1),
    drop: place('A'),
  })
  expect(changeDraft(chosen, { type: 'place', which: 'drop', point: null }).drop).toBeNull()
  expect(changeDraft(chosen, { type: 'clear' })).toEqual(emptyDraft)
})

it('trip changed to now -> chosen time is kept', () => {
  const later = changeDraft(chosen, { type: 'later', later: true, at: '2026-11-21T14:30' })
  expect(changeDraft(later, { type: 'later', later: false })).toEqual({ ...later, later: false })
})

it('draft of a user who signed out -> not shown to a visitor or another user', () => {
  storeMe({ uid: 'ana', usertype: 'rider', version: 1 } as Me)
  storeDraft(chosen)
  expect(storedDraft()).toEqual(chosen)
  storeMe(null)
  expect(storedDraft()).toEqual(emptyDraft)
  storeMe({ uid: 'ben', usertype: 'rider', version: 1 } as Me)
  expect(storedDraft()).toEqual(emptyDraft)
})

it('car type changed -> parcel type and option are the first ones, the drops stay', () => {
  const parcel = {
    parcelTypeIndex: 2,
    optionIndex: 1,
    pickUpInstructions: '',
    drops: [],
    order: 'best',
  } as const
  expect(changeDraft({ ...chosen, parcel }, { type: 'car', id: 'van' }).parcel).toEqual({
    ...parcel,
    parcelTypeIndex: 0,
    optionIndex: 0,
  })
})

it('visitor’s draft, reload or sign-in -> survives; invalid storage -> empty draft', () => {
  storeDraft(chosen)
  expect(storedDraft()).toEqual(chosen)
  storeMe({ uid: 'other', usertype: 'rider', version: 1 } as Me)
  expect(storedDraft()).toEqual(chosen)
  sessionStorage.setItem('hansom-draft', '{')
  expect(storedDraft()).toEqual(emptyDraft)
})

const noon = Date.UTC(2026, 10, 21, 12)
const ready = { signedIn: true, mayBook: true, complete: true, tripdate: null }
const laterDraft = { ...chosen, later: true, at: '2026-11-21T12:10' }
const twoStops = changeDrops.add(chosen).parcel
const tooEarly = { ...ready, tripdate: noon + 10 * 60_000 }

it.each([
  ['a visitor with nothing chosen', emptyDraft, { ...ready, signedIn: false, mayBook: false }, 'must_login'],
  ['a driver with nothing chosen', emptyDraft, { ...ready, mayBook: false }, 'user_issue_contact_admin'],
  ['a rider without places and a late time', { ...laterDraft, drop: null }, tooEarly, 'select_proper'],
  ['a rider without a car type', laterDraft, { ...tooEarly, complete: false }, 'select_proper'],
  ['a later trip without a time', { ...laterDraft, at: '' }, ready, 'select_proper'],
  ['pickup and drop are the same place', { ...chosen, drop: chosen.pickup }, ready, 'same_place'],
  ['a stop without an address', { ...chosen, parcel: twoStops }, ready, 'stop_without_address'],
  ['a time too early', laterDraft, tooEarly, 'past_booking_error'],
  ['a time too far ahead', laterDraft, { ...ready, tripdate: noon + 91 * 86_400_000 }, 'too_far_ahead'],
  ['everything chosen', chosen, ready, null],
])('booking: %s -> $3', (_, draft, attempt, refusal) => {
  expect(bookingRefusal(draft, attempt, noon)).toBe(refusal)
})
