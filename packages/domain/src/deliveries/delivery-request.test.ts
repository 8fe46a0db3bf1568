import { describe, expect, test } from 'vitest'
import { booking, start } from '../bookings/booking.fixture.ts'
import { deliveryRequest } from './delivery.fixture.ts'
import { dropsRefusal, isDeliveryPhone, missingDetails, unreachableStop } from './delivery-request.ts'

const [first, second, third] = deliveryRequest.drops as [
  (typeof deliveryRequest.drops)[number],
  (typeof deliveryRequest.drops)[number],
  (typeof deliveryRequest.drops)[number],
]

describe('recipients', () => {
  test.each([
    ['099 123 456', true],
    ['+598 99-123-456', true],
    ['1234567', true],
    ['1234567 ext. 12', true],
    ['1234567x8', true],
    ['123456', false],
    ['-- -- --- 1', false],
    ['099\n111222', false],
    ['call me maybe', false],
    ['', false],
  ])('phone %j -> %s', (phone, valid) => {
    expect(isDeliveryPhone(phone)).toBe(valid)
  })

  test('name or phone missing -> deliveryDetailMissing with the fields', () => {
    const drops = [{ ...first, deliveryPerson: ' ' }, { ...second, deliveryPersonPhone: '12' }, third]
    const refusal = missingDetails({ drops })
    expect(refusal?.key).toBe('deliveryDetailMissing')
    expect(refusal?.fields.map(({ field }) => field)).toEqual([
      'instructionData.deliveryPerson',
      'instructionData.moreDrops.0.deliveryPersonPhone',
    ])
    expect(missingDetails(deliveryRequest)).toBeNull()
    expect(missingDetails(null)?.key).toBe('deliveryDetailMissing')
  })

  test('drop at the pickup or window that is over -> refused', () => {
    const at = (change: object) =>
      dropsRefusal([first, { ...second, ...change }], booking.pickup, start, start)
    expect(at({ place: { ...booking.pickup, add: 'Here' } })?.key).toBe('same_place')
    expect(at({ window: { from: start + 2, to: start + 1 } })?.fields[0]?.error).toBe('reversed_range')
    expect(at({ window: { from: start - 2, to: start } })?.fields[0]?.error).toBe('in_the_past')
    expect(at({ window: { from: start, to: start + 8 * 24 * 3_600_000 } })?.fields[0]?.error).toBe(
      'too_far_ahead',
    )
    expect(at({ window: { from: start - 2, to: start + 1 } })).toBeNull()
  })

  test.each([
    [1, 2, 'stop_unreachable', { stop: 2 }],
    [0, 1, 'place_to_coords_error', undefined],
    [null, 3, 'place_to_coords_error', undefined],
  ])('no route to the drop at %s of %s -> %s', (position, drops, key, data) => {
    expect(unreachableStop('place_to_coords_error', position, drops)).toMatchObject({ key, data })
  })
})
