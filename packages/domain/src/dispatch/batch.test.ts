import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../settings/settings.ts'
import { type BatchRider, matchBatch } from './batch.ts'
import type { Candidate } from './strategies.ts'

const pickup = { lat: 0, lng: 0 }
const figures = { ...defaultSettings.dispatch, strategy: 'batch' } as const
const driver = (id: string, arrivalS: number, more: Partial<Candidate> = {}): Candidate => ({
  id,
  location: { lat: arrivalS / 10_000, lng: 0 },
  arrivalS,
  ...more,
})
const rider = (booking: string, candidates: Candidate[], more: Partial<BatchRider> = {}): BatchRider => ({
  booking,
  pickup,
  waitedS: 0,
  figures,
  candidates,
  ...more,
})
const matches = (riders: readonly BatchRider[]) =>
  Object.fromEntries(matchBatch(riders).map(({ booking, driver: to }) => [booking, to]))

describe('matchBatch', () => {
  it('riders who compete -> the least sum, not the nearest of each', () => {
    const riders = [
      rider('a', [driver('x', 100), driver('y', 110)]),
      rider('b', [driver('x', 120), driver('y', 600)]),
    ]
    expect(matches(riders)).toEqual({ a: 'y', b: 'x' })
    expect(
      matchBatch(riders)[0]
        ?.considered()
        .drivers.map(({ id, reason }) => [id, reason]),
    ).toEqual([
      ['y', 'offered'],
      ['x', 'other_rider'],
    ])
  })

  it('one driver for two -> the rider whose longer wait outweighs the longer drive', () => {
    const near = rider('near', [driver('x', 60)])
    const far = (waitedS: number) => rider('far', [driver('x', 360)], { waitedS })
    expect(matches([near, far(299)])).toEqual({ near: 'x', far: null })
    expect(matches([near, far(301)])).toEqual({ near: null, far: 'x' })
  })

  it('a new rider beside the only driver every time -> a waiting one is not starved', () => {
    const times = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 60, maxLength: 60 })
    fc.assert(
      fc.property(times, fc.integer({ min: 31, max: 1500 }), (newcomers, arrivalS) => {
        const served = newcomers.findIndex((newS, minute) => {
          const waiting = rider('old', [driver('x', arrivalS)], { waitedS: minute * 60 })
          return matches([waiting, rider('new', [driver('x', newS)])]).old === 'x'
        })
        expect(served).toBeGreaterThanOrEqual(0)
        expect(served).toBeLessThanOrEqual(Math.ceil(arrivalS / figures.ageing))
      }),
    )
  })

  it('best driver still on a trip -> the rider waits, but not for longer than allowed', () => {
    const soonFree = { ...figures, soonFreeMinutes: 5 }
    const candidates = [driver('free', 600), driver('ending', 200, { freeS: 100 })]
    const waiting = (waitedS: number) => [rider('a', candidates, { waitedS, figures: soonFree })]
    expect(matches(waiting(0))).toEqual({ a: null })
    expect(matches(waiting(300))).toEqual({ a: 'free' })
    expect(matches([rider('a', candidates)])).toEqual({ a: 'free' })
  })

  it('the only driver is hours away, and waiting does not count -> asked', () => {
    const alone = rider('a', [driver('x', 9_000)], { figures: { ...figures, ageing: 0 } })
    expect(matches([alone])).toEqual({ a: 'x' })
  })

  it('excluded -> not matched, and told why', () => {
    const [match] = matchBatch([rider('a', [driver('owes', 10, { excluded: 'debt' }), driver('x', 50)])])
    expect(match?.driver).toBe('x')
    expect(match?.considered().drivers.map(({ reason }) => reason)).toEqual(['offered', 'debt'])
  })

  it('no driver now or soon -> none; one who is asked elsewhere -> waits', () => {
    const kinds = (candidates: Candidate[]) => matchBatch([rider('a', candidates)])[0]?.kind
    expect(kinds([])).toBe('none')
    expect(kinds([driver('owes', 10, { excluded: 'debt' }), driver('ending', 10, { freeS: 60 })])).toBe(
      'none',
    )
    expect(kinds([driver('elsewhere', 10, { excluded: 'other_request' })])).toBe('wait')
  })

  it('any batch -> each driver once, and no one waits beside a driver who is left', () => {
    const times = fc.uniqueArray(
      fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 1800 })),
      {
        selector: ([id]) => id,
        maxLength: 6,
      },
    )
    const one = fc.record({ times, waitedS: fc.integer({ min: 0, max: 1200 }) })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (all) => {
        const riders = all.map(({ times: list, waitedS }, index) =>
          rider(
            String(index),
            list.map(([id, arrivalS]) => driver(`d${id}`, arrivalS)),
            { waitedS },
          ),
        )
        const result = matchBatch(riders)
        const taken = result.flatMap(({ driver: to }) => to ?? [])
        expect(new Set(taken).size).toBe(taken.length)
        for (const { booking, driver: to } of result) {
          const own = riders[Number(booking)]?.candidates.map(({ id }) => id) ?? []
          if (to === null) expect(own.every((id) => taken.includes(id))).toBe(true)
          else expect(own).toContain(to)
        }
      }),
    )
  })
})
