import type { BookingView } from '@hansom/contract/bookings'
import { bookingStatuses, cancellers, noDriverFound } from '@hansom/domain/bookings/status'
import { transitions } from '@hansom/domain/bookings/transitions'
import ar from '@hansom/domain/languages/packs/ar/trip.json'
import en from '@hansom/domain/languages/packs/en/trip.json'
import { describe, expect, it } from 'vitest'
import { statusWords } from './status-text.ts'
import { momentsFrom } from './timeline.tsx'

const now = 1_790_000_000_000
const trip = {
  status: 'ACCEPTED',
  viewer: 'rider',
  otp_needed: false,
  bookLater: false,
  tripdate: now,
  drivers_asked_at: null,
  cancelledBy: null,
  reason: null,
  rebooked_from: null,
  rebooked_as: null,
  cancellation_fee: 0,
  prepaid: false,
  objection: null,
} as const
const viewers = ['rider', 'driver', 'requested', 'fleetadmin', 'admin'] as const
const packs = { en: en as Record<string, string>, ar: ar as Record<string, string> }

/** Every variation of a trip for a viewer. */
const shades = [
  {},
  { otp_needed: true },
  { bookLater: true, tripdate: now + 3_600_000, drivers_asked_at: now + 2_700_000 },
  { rebooked_from: 'x' },
  ...cancellers.flatMap((cancelledBy) => [
    { cancelledBy, reason: 'changed my mind' },
    { cancelledBy, reason: noDriverFound },
    { cancelledBy, reason: 'ill', rebooked_as: 'x' },
    { cancelledBy, reason: 'ill', cancellation_fee: 40 },
  ]),
]

describe.each(viewers)('status text: %s', (viewer) => {
  it.each(bookingStatuses)('%s -> a line in both languages in every variation', (status) => {
    for (const shade of shades) {
      const { line, next } = statusWords({ ...trip, ...shade, viewer, status }, now)
      for (const pack of Object.values(packs)) {
        expect(pack[line.replace('trip.', '')], line).toBeTruthy()
        if (next) expect(pack[next.replace('trip.', '')], next).toBeTruthy()
      }
    }
  })
})

describe('status line', () => {
  const words = (difference: Partial<Parameters<typeof statusWords>[0]>) =>
    statusWords({ ...trip, ...difference }, now)

  it('trip code -> mentioned only if needed', () => {
    expect(words({ status: 'ARRIVED' }).next).toBe('trip.rider_next_ARRIVED')
    expect(words({ status: 'ARRIVED', otp_needed: true }).next).toBe('trip.rider_next_ARRIVED_code')
    expect(words({ status: 'ARRIVED', otp_needed: true, viewer: 'admin' }).next).toBe(
      'trip.admin_next_ARRIVED',
    )
  })

  it('delivery with a failed drop -> not said to be delivered', () => {
    const delivery = { stops: [{ outcome: 'failed' }] } as BookingView['delivery']
    expect(words({ status: 'REACHED', delivery }).line).toBe('delivery.ended_failed')
    expect(words({ status: 'REACHED', delivery: null }).line).toBe('trip.rider_REACHED')
  })

  it('Book Later -> mentioned only before its time', () => {
    const later = { status: 'NEW', bookLater: true } as const
    const soon = { ...later, tripdate: now + 16 * 60_000 }
    expect(words({ ...soon, drivers_asked_at: now + 60_000 }).line).toBe('trip.rider_NEW_later')
    expect(words({ ...soon, drivers_asked_at: now }).line).toBe('trip.rider_NEW')
  })

  it('cancelled -> says nothing was charged only if true', () => {
    const end = { status: 'CANCELLED', cancelledBy: 'rider' } as const
    expect(words(end).next).toBe('trip.rider_next_CANCELLED_free')
    expect(words({ ...end, cancellation_fee: 40 }).next).toBeNull()
    expect(words({ ...end, prepaid: true }).next).toBeNull()
  })

  it.each(['rider', 'driver', 'admin'] as const)(
    'cancelled by the %s -> the driver sees who',
    (cancelledBy) => {
      expect(words({ status: 'CANCELLED', viewer: 'driver', cancelledBy }).line).toBe(
        `trip.driver_CANCELLED_${cancelledBy}`,
      )
    },
  )

  it('ended by a party -> says who, and that another driver is asked', () => {
    const end = { status: 'CANCELLED' } as const
    expect(words({ ...end, cancelledBy: 'rider' }).line).toBe('trip.rider_CANCELLED')
    expect(words({ ...end, cancelledBy: 'system', reason: noDriverFound }).line).toBe(
      'trip.rider_CANCELLED_none',
    )
    const none = { ...end, cancelledBy: 'system', reason: noDriverFound } as const
    expect(words(none).next).toBe('trip.rider_next_CANCELLED_none')
    expect(words({ ...none, prepaid: true }).next).toBe('trip.rider_next_CANCELLED_none_prepaid')
    expect(words({ ...end, cancelledBy: 'system', reason: 'x' }).line).toBe('trip.rider_CANCELLED_unpaid')
    expect(words({ ...end, cancelledBy: 'driver', rebooked_as: 'x' })).toEqual({
      line: 'trip.rider_CANCELLED_driver',
      next: 'trip.rider_next_CANCELLED_rebooked',
    })
  })
})

it('timeline: every event -> has a text', () => {
  const events = ['create', ...Object.keys(transitions)].map((command) => ({
    at: now,
    actor: 'system' as const,
    name: null,
    command,
    from: null,
    to: 'NEW' as const,
    reason: null,
    changes: null,
    sent: [],
  }))
  for (const { key } of momentsFrom(events)) {
    for (const pack of Object.values(packs)) expect(pack[key.replace('trip.', '')], key).toBeTruthy()
  }
})

it('timeline: wrong trip codes in a row -> one moment with their number, apart from the start that follows', () => {
  const start = {
    at: now,
    actor: 'driver' as const,
    name: 'Bruno',
    command: 'start',
    from: 'ARRIVED' as const,
    to: 'ARRIVED' as const,
    reason: null,
    changes: null,
    sent: [],
  }
  const told = { name: 'Rita', title: 'notify.otp_wrong.title', params: {} }
  const moments = momentsFrom([start, { ...start, sent: [told] }, start, { ...start, to: 'STARTED' }])
  expect(moments.map(({ key, count, sent }) => [key, count, sent.length])).toEqual([
    ['trip.event_wrong_code', 3, 1],
    ['trip.event_start', undefined, 0],
  ])
})

it('packs: both languages -> same keys apart from plural forms', () => {
  const plain = (pack: Record<string, string>) =>
    [...new Set(Object.keys(pack).map((key) => key.replace(/_(zero|one|two|few|many|other)$/, '')))].sort()
  expect(plain(packs.ar)).toEqual(plain(packs.en))
})
