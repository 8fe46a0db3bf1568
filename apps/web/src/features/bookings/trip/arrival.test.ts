import { describe, expect, it } from 'vitest'
import { arrivalAt, isStale } from './arrival-time.tsx'
import { initials } from './partner-card.tsx'

const at = 1_790_000_000_000
const trip = { promised_arrival: at + 300_000, trip_start_time: at, estimateTime: 900 }
const point = { id: 1, lat: -34.9, lng: -56.19, at, status: 'ACCEPTED', arrivalS: 120 }

describe('the arrival', () => {
  it('is what the last position says, else the promise, else the plan', () => {
    expect(arrivalAt({ ...trip, status: 'ACCEPTED' }, point)).toBe(at + 120_000)
    expect(arrivalAt({ ...trip, status: 'ACCEPTED' }, { ...point, arrivalS: null })).toBe(at + 300_000)
    expect(arrivalAt({ ...trip, status: 'STARTED' }, null)).toBe(at + 900_000)
  })

  it('never takes the way to the pickup for the way to the drop', () => {
    expect(arrivalAt({ ...trip, status: 'STARTED' }, point)).toBe(at + 900_000)
  })

  it.each(['NEW', 'ARRIVED', 'REACHED', 'PAID', 'CANCELLED'] as const)('is nothing in %s', (status) => {
    expect(arrivalAt({ ...trip, status }, point)).toBeNull()
  })
})

it('calls a position old after 15 s of real time, however fast the clock runs', () => {
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
])('writes %s as %s', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
