import { expect, it } from 'vitest'
import { emptyParcel, fullEstimate, refusedDropField, requestData, windowOf } from './parcel-draft.ts'

const at = (text: string) => Date.parse(`2026-11-26T${text}:00-03:00`)
const zone = 'America/Montevideo'
const noon = at('12:00')

it.each([
  ['14:00', '16:00', at('14:00'), at('16:00')],
  ['11:00', '13:00', at('11:00'), at('13:00')],
  ['23:00', '01:00', at('23:00'), at('23:00') + 2 * 3_600_000],
  ['09:00', '10:00', at('09:00') + 24 * 3_600_000, at('10:00') + 24 * 3_600_000],
  ['', '16:00', at('16:00') - 24 * 3_600_000, at('16:00')],
  ['14:00', '', at('14:00'), at('14:00') + 24 * 3_600_000],
])('window %s to %s, leaving at noon -> next occurrence', (from, to, start, end) => {
  expect(windowOf({ from, to }, noon, zone)).toEqual({ from: start, to: end })
})

it('window: no times -> none', () => {
  expect(windowOf({ from: '', to: '' }, noon, zone)).toBeUndefined()
})

const [first] = emptyParcel.drops
const drop = { ...first, key: 'b', point: { lat: 1, lng: 2, add: 'B' }, to: '14:00' }
const parcel = { ...emptyParcel, drops: [...emptyParcel.drops, drop] } as typeof emptyParcel
const departure = { tripdate: null, now: noon, timezone: zone }

it('estimate -> one window per drop, without addresses and people', () => {
  expect(fullEstimate(parcel, departure)).toEqual({
    moreDrops: [{ lat: 1, lng: 2 }],
    order: 'given',
    windows: [null, { from: at('14:00') - 24 * 3_600_000, to: at('14:00') }],
    parcelTypeIndex: 0,
    optionIndex: 0,
  })
})

it('request -> first recipient at the top, further drops with their places', () => {
  const data = requestData(parcel, departure, 'pickup')
  expect(data).toMatchObject({ deliveryPerson: '', cash_at: 'pickup', moreDrops: [{ drop: { add: 'B' } }] })
  expect(data.moreDrops?.[0]?.window?.to).toBe(at('14:00'))
  expect(data.window).toBeUndefined()
})

it.each([
  ['instructionData.deliveryPerson', { drop: 0, field: 'deliveryPerson' }],
  ['instructionData.moreDrops.1.window', { drop: 2, field: 'window' }],
  ['instructionData.moreDrops.0.window.to', { drop: 1, field: 'window' }],
  ['car_type_id', null],
])('refused field %s -> %j', (field, expected) => {
  expect(refusedDropField(field)).toEqual(expected)
})
