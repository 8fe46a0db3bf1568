import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../settings/settings.ts'
import type { Candidate } from './strategies.ts'
import { bookLaterLeadMs, dispatchAt, earliestTrip, isDispatchDue, promisedArrival } from './timing.ts'
import { planWave, waveRadiusKm } from './waves.ts'

const settings = {
  driverRadius: 10,
  convert_to_mile: false,
  dispatch: defaultSettings.dispatch,
}
const pickup = { lat: 0, lng: 0 }
const driver = (id: string, km: number, arrivalS = km * 120): Candidate => ({
  id,
  location: { lat: km / 111.195, lng: 0 },
  arrivalS,
})
const fresh = { pickup, wave: 0, asked: [], excluded: [], now: 1000 }

describe('waves', () => {
  it('next wave -> half as far again, up to the driver radius', () => {
    expect([1, 2, 3, 4, 9].map((wave) => waveRadiusKm(wave, settings))).toEqual([4, 6, 9, 10, 10])
    expect(waveRadiusKm(9, { ...settings, convert_to_mile: true })).toBeCloseTo(16.09344, 6)
  })

  it('drivers within the radius -> the soonest first, however near; those beyond it are not asked', () => {
    const drivers = [
      driver('across the river', 0.5, 900),
      driver('near', 2, 240),
      driver('far but fast', 5, 100),
    ]
    expect(planWave(fresh, drivers, settings)).toMatchObject({ drivers: ['near', 'across the river'] })
  })

  it('waves -> the nearest ten, then the next ten', () => {
    const drivers = Array.from({ length: 15 }, (_, index) => driver(`d${index}`, 3.9 - index / 10))
    const first = planWave(fresh, drivers, settings)
    if (first.kind !== 'ask') throw new Error('no driver was asked')
    expect(first).toMatchObject({ wave: 1, radiusKm: 4, next_at: 31_000 })
    expect(first.drivers).toEqual(['d14', 'd13', 'd12', 'd11', 'd10', 'd9', 'd8', 'd7', 'd6', 'd5'])
    const second = planWave({ ...fresh, wave: 1, asked: first.drivers }, drivers, settings)
    expect(second).toMatchObject({
      kind: 'ask',
      wave: 2,
      radiusKm: 6,
      drivers: ['d4', 'd3', 'd2', 'd1', 'd0'],
    })
  })

  it('empty wave -> skipped', () => {
    expect(planWave(fresh, [driver('far', 8)], settings)).toMatchObject({
      kind: 'ask',
      wave: 3,
      drivers: ['far'],
    })
  })

  it('already asked, declined or cancelled -> left out', () => {
    const drivers = [driver('asked', 1), driver('excluded', 1), driver('new', 2)]
    const plan = planWave({ ...fresh, asked: ['asked'], excluded: ['excluded'] }, drivers, settings)
    expect(plan).toMatchObject({ drivers: ['new'] })
  })

  it('no driver left within the radius -> ends; otherwise continues at the full radius', () => {
    expect(planWave(fresh, [driver('beyond', 10.1)], settings)).toMatchObject({ kind: 'none' })
    expect(planWave({ ...fresh, wave: 20 }, [driver('left', 9.9)], settings)).toMatchObject({ wave: 21 })
    expect(planWave({ ...fresh, wave: 20, asked: ['left'] }, [driver('left', 9.9)], settings)).toMatchObject({
      kind: 'none',
    })
  })

  it('first radius of zero -> still ends', () => {
    const none = { ...settings, dispatch: { ...settings.dispatch, firstRadius: 0 } }
    expect(planWave(fresh, [driver('far', 8)], none)).toMatchObject({ kind: 'none' })
  })
})

describe('timing', () => {
  const later = { bookLater: true, tripdate: 100 * 60_000 }
  it('Book Later -> drivers are asked fifteen minutes before', () => {
    expect(dispatchAt(later, settings, 0)).toBe(85 * 60_000)
    expect(dispatchAt(later, settings, 90 * 60_000)).toBe(90 * 60_000)
    expect(dispatchAt({ ...later, bookLater: false }, settings, 7)).toBe(7)
    expect(isDispatchDue(later, settings, 85 * 60_000 - 1)).toBe(false)
    expect(isDispatchDue(later, settings, 85 * 60_000)).toBe(true)
  })

  it('promised arrival -> for Book Later not before the booked time', () => {
    expect(promisedArrival({ ...later, bookLater: false }, 1000, 90.2)).toBe(91_200)
    expect(promisedArrival(later, 85 * 60_000, 90)).toBe(100 * 60_000)
    expect(promisedArrival(later, 99 * 60_000, 120)).toBe(101 * 60_000)
  })
})

it('earliestTrip -> full five minutes, still valid when the request is sent', () => {
  const noon = Date.UTC(2026, 10, 21, 12, 0)
  for (const now of [noon, noon + 1, noon + 4 * 60_000 + 59_999, noon + 299_000]) {
    const earliest = earliestTrip(now)
    expect(earliest % 300_000).toBe(0)
    expect(earliest - now).toBeGreaterThanOrEqual(bookLaterLeadMs + 30_000)
    expect(earliest - now).toBeLessThan(bookLaterLeadMs + 30_000 + 300_000)
  }
})
