import type { BookingView } from '@hansom/contract/bookings'
import { describe, expect, it } from 'vitest'
import { arrivalAt, isStale, stopArrivalAt } from '../../../entities/bookings/tracked-car.ts'
import { initials } from './partner-card.tsx'

const at = 1_790_000_000_000
const trip = { promised_arrival: at + 300_000, trip_start_time: at, estimateTime: 900 }
const point = { id: 1, lat: -34.9, lng: -56.19, at, status: 'ACCEPTED', arrivalS: 120 }

describe('arrival time', () => {
  it('accepted -> from the last position, otherwise promised, otherwise planned', () => {
    expect(arrivalAt({ ...trip, status: 'ACCEPTED' }, point, at)).toBe(at + 120_000)
    expect(arrivalAt({ ...trip, status: 'ACCEPTED' }, { ...point, arrivalS: null }, at)).toBe(at + 300_000)
    expect(arrivalAt({ ...trip, status: 'STARTED' }, null, at)).toBe(at + 900_000)
  })

  it('estimate for the pickup -> not used for the drop', () => {
    expect(arrivalAt({ ...trip, status: 'STARTED' }, point, at)).toBe(at + 900_000)
  })

  it('at the pickup -> none; for the stops of a delivery now', () => {
    const there = { ...trip, status: 'ARRIVED' as const }
    expect([arrivalAt(there, point, at), stopArrivalAt(there, point, at)]).toEqual([null, at])
    expect(stopArrivalAt({ ...trip, status: 'ACCEPTED' }, point, at)).toBe(at + 120_000)
  })

  it('delivery -> at the next stop, not before its window opens', () => {
    const stop = (n: number, changes: object) => ({
      n,
      kind: 'drop',
      planned_at: at + n * 60_000,
      window_from: null,
      done_at: null,
      ...changes,
    })
    const [pickup, first] = [stop(0, { kind: 'pickup', done_at: at, outcome: 'collected' }), stop(1, {})]
    const arrival = (window_from: number | null, moving: typeof point | null) => {
      const stops = [pickup, { ...first, outcome: null, window_from }, stop(2, { outcome: null })]
      const delivery = { stops } as unknown as NonNullable<BookingView['delivery']>
      return arrivalAt({ ...trip, status: 'STARTED', delivery }, moving, at)
    }
    const started = { ...point, status: 'STARTED' }
    expect(arrival(null, null)).toBe(at + 60_000)
    expect(arrival(null, started)).toBe(at + 120_000)
    expect(arrival(at + 500_000, started)).toBe(at + 500_000)
  })

  it.each(['NEW', 'ARRIVED', 'REACHED', 'PAID', 'CANCELLED'] as const)('%s -> null', (status) => {
    expect(arrivalAt({ ...trip, status }, point, at)).toBeNull()
  })
})

it('position: older than 15 s of real time -> old, at any clock speed', () => {
  expect(isStale(at, at + 15_000, 1)).toBe(false)
  expect(isStale(at, at + 15_001, 1)).toBe(true)
  expect(isStale(at, at + 100_000, 10)).toBe(false)
})

it.each([
  ['Ana Pérez', 'AP'],
  ['juan carlos de la Vega', 'JV'],
  ['Óscar', 'Ó'],
  ['  ', ''],
  ['أحمد علي', 'أع'],
])('initials: %s -> %s', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
